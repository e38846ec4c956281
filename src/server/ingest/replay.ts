import { setTimeout } from 'node:timers/promises'
import { SluiceError, runCooperatively, nowhere, type StepwiseTask } from '../../base/index.ts'
import { durableDiagnostic, type DurableStore } from '../../store/durable/index.ts'
import type { MemoryTable } from '../../store/index.ts'
import { targetInLog, type IngestTarget } from './decoder.ts'
import { findDecoder } from './decoders/index.ts'
import type { BatchWatch } from './ingest-service.ts'

/** Knows which batches of the log are in segments already, so that a replay skips them. */
export interface ReplayWatch extends BatchWatch {
  /** True if sealed segments are written to files, which need word indexes. */
  readonly keepsSegments: boolean
}

export interface ReplayReport {
  readonly batches: number
  readonly rows: number
  /** Resolves when deferred word indexes are built. Searches are slower until that time. */
  readonly indexed: Promise<void>
}

/** Pause between indexing two segments, ms. */
const INDEX_PAUSE_MS = 5

/** Indexes segments, newest first, one in each iteration of the event loop. Does not keep the process alive. */
async function indexWords(tables: ReadonlySet<MemoryTable>): Promise<void> {
  const pause = (): Promise<void> => setTimeout(INDEX_PAUSE_MS, undefined, { ref: false })
  for (const table of tables) {
    do await pause()
    while (await runCooperatively(table.sealer.indexWords()))
  }
}

/**
 * Maximum number of full tails that are not sealed during a replay. Sealing full tails after the replay shortens the
 * start-up.
 */
const MAX_FULL_TAILS = 2

/** Leaves the sealing of full tails to the owner of the segments, unless there are many. */
function* sealingBehind<T>(table: MemoryTable, turns: StepwiseTask<T>): StepwiseTask<T> {
  for (;;) {
    const next = table.sealer.sealingLater(() => turns.next())
    if (table.tails.full.length > MAX_FULL_TAILS) yield* table.sealer.sealFull()
    if (next.done === true) return next.value
    yield
  }
}

/**
 * Replays every acknowledged batch in log order with the code that stored it, and yields to the event loop. Throws
 * `durable/…` for a log that is damaged or unreadable. Word indexes are built afterwards; if `watch` writes segments to
 * files, the index of a segment is built when the segment is sealed.
 */
export async function replayBatches(
  log: Pick<DurableStore, 'replay'>,
  targetOf: (backend: string) => IngestTarget | undefined,
  watch?: ReplayWatch,
): Promise<ReplayReport> {
  let batches = 0
  let rows = 0
  const tables = new Set<MemoryTable>()
  for (const { mark, batch } of log.replay()) {
    const { backend, table, format, receivedNs, options, payload } = batch
    const decoder = findDecoder(table, format)
    if (decoder === undefined) throw new SluiceError([durableDiagnostic('unknown-format', { table, format }, nowhere)])
    const target = targetOf(backend)
    if (target === undefined) throw new SluiceError([durableDiagnostic('unknown-backend', { backend }, nowhere)])
    const held = target.store.memoryTables.get(table)
    const sealsLater = held !== undefined && watch?.keepsSegments === true
    if (held !== undefined && !sealsLater && !tables.has(held)) {
      tables.add(held)
      held.sealer.deferWords()
    }
    watch?.begin(mark, backend, table)
    const apply = (await runCooperatively(decoder.decode(payload, receivedNs, options))).apply(
      targetInLog(target, batch),
    )
    rows += (await runCooperatively(sealsLater ? sealingBehind(held, apply) : apply)).accepted
    watch?.end(mark, backend, table)
    watch?.acknowledge(mark)
    batches++
  }
  return { batches, rows, indexed: indexWords(tables) }
}
