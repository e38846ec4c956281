import type { TablePersister } from '../../store/persistence/index.ts'
import type { MemoryRetention } from '../ingest/memory-retention.ts'
import type { StoreMemory } from '../ingest/store-memory.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

type Named = readonly [name: string, help: string]

/** Gauges of a data folder, which show whether incoming data reaches files. */
const folderGauges = {
  segments: ['sluice_segments', 'Segments and files of samples in the data folder.'],
  segmentBytes: ['sluice_segment_bytes', 'Bytes of segments and files of samples, their filters and dictionaries.'],
  waitingSegments: [
    'sluice_segments_waiting',
    'Sealed segments that are not in files yet; senders wait while there are many.',
  ],
  logBytes: [
    'sluice_log_bytes',
    'Bytes of the batch logs; from `--log-size` on, batches that are in files are removed.',
  ],
} satisfies Readonly<Record<string, Named>>

const memoryGauges = {
  memoryBytes: ['sluice_store_memory_bytes', 'Memory of rows, dictionaries and samples, bytes.'],
  memoryLimitBytes: ['sluice_store_memory_limit_bytes', 'Limit of sluice_store_memory_bytes, bytes.'],
} satisfies Readonly<Record<string, Named>>

/** Counters of a data folder since the start of the server. */
const folderCounters = {
  mergedSegments: ['sluice_segments_merged_total', 'Segments and files of samples that were merged into others.'],
} satisfies Readonly<Record<string, Named>>

const retentionCounters = {
  expiredSegments: [
    'sluice_segments_expired_total',
    'Segments and files of samples that expired by `--retain` or `--retain-bytes`.',
  ],
} satisfies Readonly<Record<string, Named>>

const memoryCounters = {
  droppedRows: ['sluice_rows_dropped_total', 'Rows dropped from memory for newer ones, without a data folder.'],
  droppedSamples: [
    'sluice_samples_dropped_total',
    'Samples dropped from memory for newer ones, without a data folder.',
  ],
} satisfies Readonly<Record<string, Named>>

const gauges = { ...folderGauges, ...memoryGauges }
const counters = { ...folderCounters, ...retentionCounters, ...memoryCounters }
type StoreFigure = keyof typeof gauges | keyof typeof counters
const names = Object.keys({ ...gauges, ...counters }) as StoreFigure[]

/**
 * Statistics of a store in shared memory: written by the thread that owns the store, read by the one that serves
 * `/metrics`. NaN until first written.
 */
export class StoreFigures {
  readonly shared: SharedArrayBuffer
  readonly #values: Float64Array

  /** `shared` is the buffer that the other thread has created; by default a new one is created. */
  constructor(shared?: SharedArrayBuffer) {
    this.shared = shared ?? new SharedArrayBuffer(8 * names.length)
    this.#values = new Float64Array(this.shared)
    if (shared === undefined) this.#values.fill(NaN)
  }

  /** Writes the current statistics. Statistics whose arguments are omitted stay unchanged. */
  note(
    persister: TablePersister | undefined,
    memory: StoreMemory | undefined,
    retention: MemoryRetention | undefined,
  ): void {
    const now: Partial<Record<StoreFigure, number>> = {
      ...persister?.figures,
      ...(retention && { expiredSegments: retention.expiredSegments }),
      ...(memory && {
        memoryBytes: memory.usedBytes,
        memoryLimitBytes: memory.limitBytes,
        droppedRows: memory.droppedRows,
        droppedSamples: memory.droppedSamples,
      }),
    }
    for (const [index, name] of names.entries()) this.#values[index] = now[name] ?? this.#values[index] ?? NaN
  }

  of(name: StoreFigure): number {
    return this.#values[names.indexOf(name)] ?? NaN
  }
}

/** Adds gauges of a data folder and the memory limit; `figure` returns a value on request. */
export function addStoreGauges(
  telemetry: Telemetry,
  has: { readonly folder: boolean; readonly memory: boolean; readonly retention: boolean },
  figure: (name: StoreFigure) => number,
): void {
  const shown: Readonly<Record<string, Named>> = { ...(has.folder && folderGauges), ...(has.memory && memoryGauges) }
  for (const [name, [metric, help]] of Object.entries(shown))
    telemetry.gauge(metric, help, () => figure(name as StoreFigure))
  const counted: Readonly<Record<string, Named>> = {
    ...(has.folder && folderCounters),
    ...((has.folder || has.retention) && retentionCounters),
    ...(has.memory && memoryCounters),
  }
  for (const [name, [metric, help]] of Object.entries(counted))
    telemetry.counted(metric, help, () => figure(name as StoreFigure))
}
