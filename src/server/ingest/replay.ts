import { setTimeout } from 'node:timers/promises'
import { SluiceError, inTurns, nowhere, type Turns } from '../../base/index.ts'
import { durableDiagnostic, type DurableStore } from '../../store/durable/index.ts'
import type { MemoryTable } from '../../store/index.ts'
import { targetInLog, type IngestTarget } from './decoder.ts'
import { findDecoder } from './decoders/index.ts'
import type { BatchWatch } from './ingest-service.ts'

/** The part of a folder's tables that a replay needs: what of the log lies in segments already. */
export interface ReplayWatch extends BatchWatch {
  /** True where sealed segments become files, which are to have their word indexes. */
  readonly keepsSegments: boolean
}

export interface ReplayReport {
  readonly batches: number
  readonly rows: number
  /** Resolves when the rows have the word indexes that were left for later; until then searches are slower. */
  readonly indexed: Promise<void>
}

/** How long others have their turn between two segments' indexes. */
const INDEX_PAUSE_MS = 5

/** Newest first, one segment a turn; an ending process is not held up. */
async function indexWords(tables: ReadonlySet<MemoryTable>): Promise<void> {
  const pause = (): Promise<void> => setTimeout(INDEX_PAUSE_MS, undefined, { ref: false })
  for (const table of tables) {
    do await pause()
    while (await inTurns(table.sealer.indexWords()))
  }
}

/** Full tails of a table that may wait for the end of the replay: a start is not to wait for their indexes. */
const MAX_FULL_TAILS = 2

/** What becomes full is sealed by whoever keeps the segments, unless there is much of it. */
function* sealingBehind<T>(table: MemoryTable, turns: Turns<T>): Turns<T> {
  for (;;) {
    const next = table.sealer.sealingLater(() => turns.next())
    if (table.tails.full.length > MAX_FULL_TAILS) yield* table.sealer.sealFull()
    if (next.done === true) return next.value
    yield
  }
}

/**
 * Puts every acknowledged batch back, in the order of the log, by the code that took it in. Throws `durable/…` for a log
 * that is damaged or holds what this program cannot read; the event loop gets its turns. Word indexes are made after it, those of
 * segments that a `watch` keeps when it seals them.
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
    const apply = (await inTurns(decoder.decode(payload, receivedNs, options))).apply(targetInLog(target, batch))
    rows += (await inTurns(sealsLater ? sealingBehind(held, apply) : apply)).accepted
    watch?.end(mark, backend, table)
    watch?.told(mark)
    batches++
  }
  return { batches, rows, indexed: indexWords(tables) }
}
