import { LOG_REPEAT_MS, formatRfc3339 } from '../../base/index.ts'
import { lastNsOf, mostGrowth, type MemoryTable, type Segment } from '../../store/index.ts'
import { fault } from '../errors/http-fault.ts'
import type { IngestTarget } from './decoder.ts'

/** Segments and sample files that were dropped to make room for newer data. */
export interface Dropped {
  readonly rows: number
  /** Number of dropped samples of metrics. */
  readonly samples: number
  /** Time of the newest dropped row or sample, ns. */
  readonly untilNs: bigint
}

/** Log message for dropped rows and samples. */
export const DROPPED = 'the memory for rows is full; the oldest have left'

export function droppedRows({ untilNs, ...counts }: Dropped): Readonly<Record<string, unknown>> {
  return { ...counts, until: formatRfc3339(untilNs) }
}

/** The data that a table, or the samples of a backend, would drop next. */
interface Evictable {
  /** Time of the newest row or sample of this data, ns. */
  readonly lastNs: bigint
  readonly leave: () => Omit<Dropped, 'untilNs'> & { readonly bytes: number }
}

export interface StoreMemoryOptions {
  readonly targets: ReadonlyMap<string, IngestTarget>
  /** Limit of tables, dictionaries and samples, bytes. */
  readonly limitBytes: number
  /**
   * Requests an early flush to files; `undefined` without files. Without it, the oldest rows and samples are dropped.
   */
  readonly flushForMemory: (() => void) | undefined
  /** Called with dropped rows. Calls are delayed and combined. */
  readonly onDropped: (dropped: Dropped) => void
}

/** Estimated memory of a payload in a tail, as a multiple of its size, including growth of buffers. */
const PAYLOAD_WEIGHT = 3
/** If rows can be dropped, a payload that may need more than 1/8 of the memory frees memory step by step. */
const ROOM_PARTS = 8
/** Number of new bytes after which the memory of samples is counted again. */
const RECOUNT_BYTES = 8 * 1024 ** 2
/** Rows of a table are dropped in portions of at most 1/64 of the memory. */
const SPARE_PARTS = 64
/** Maximum size of a sample file, which is dropped as a whole, as a fraction of the memory. */
const FILE_PARTS = 16
/** Retry delay when only a restart with more memory helps. */
const FULL_RETRY_SECONDS = '60'

/**
 * Keeps tables and samples of a process within a memory limit. When the limit is reached, the oldest data is dropped,
 * or new data is rejected for a while.
 */
export class StoreMemory {
  readonly #options: StoreMemoryOptions
  #sampleBytes = 0
  /** Value of `#weight` at the last count; `undefined` if memory must be counted again. */
  #countedWeight: number | undefined
  #notLogged: Dropped | undefined
  #loggedMs = -Infinity
  #reportTimer: NodeJS.Timeout | undefined
  /** Rows and samples dropped so far. */
  droppedRows = 0
  droppedSamples = 0

  constructor(options: StoreMemoryOptions) {
    this.#options = options
    const { limitBytes, targets } = options
    for (const table of this.#tables()) table.sealer.mostSpareBytes = limitBytes / SPARE_PARTS
    for (const { packer } of targets.values()) if (packer !== undefined) packer.mostFileBytes = limitBytes / FILE_PARTS
  }

  get limitBytes(): number {
    return this.#options.limitBytes
  }

  #tables(): readonly MemoryTable[] {
    return [...this.#options.targets.values()].flatMap(({ store }) => [...store.memoryTables.values()])
  }

  /**
   * Frees memory for a payload of `payloadBytes`, or for `mostBytes` if known. Throws 503 if there is not enough
   * memory, and 413 if the payload is larger than the whole limit. For a large payload of unknown need it returns a
   * function to call before each step, since most payloads need much less than their maximum.
   */
  makeRoom(payloadBytes: number, mostBytes?: number): (() => void) | undefined {
    const { limitBytes, flushForMemory } = this.#options
    const wantedBytes = Math.max(payloadBytes * PAYLOAD_WEIGHT, mostBytes ?? 0)
    if (this.usedBytes + wantedBytes <= limitBytes) return undefined
    this.#dropSpare()
    this.#countedWeight = undefined
    if (this.usedBytes + wantedBytes <= limitBytes) return undefined
    if (wantedBytes > limitBytes) throw fault('body-beyond-memory', { takesBytes: wantedBytes, limitBytes })
    const staysBytes = this.#stayingBytes
    if (staysBytes + wantedBytes > limitBytes)
      throw fault('memory-full', { staysBytes, limitBytes }, { 'Retry-After': FULL_RETRY_SECONDS })
    if (flushForMemory === undefined) {
      const roomBytes = mostBytes === undefined ? Math.min(wantedBytes, limitBytes / ROOM_PARTS) : wantedBytes
      const dropForStep = (): void => this.#dropOldest(limitBytes - roomBytes)
      dropForStep()
      if (this.usedBytes + roomBytes <= limitBytes) return roomBytes === wantedBytes ? undefined : dropForStep
    } else flushForMemory()
    const reason =
      flushForMemory === undefined ? 'its memory is full' : 'its memory is full until rows are written to segments'
    throw fault('busy', { reason }, { 'Retry-After': '1' })
  }

  /** Memory used by tables, dictionaries and samples, bytes. */
  get usedBytes(): number {
    let bytes = 0
    for (const table of this.#tables()) bytes += table.view.memoryBytes
    return bytes + this.#samples()
  }

  /** Memory that neither flushing nor dropping can release, bytes. */
  get #stayingBytes(): number {
    let bytes = 0
    for (const table of this.#tables()) bytes += table.fields.dictionaryBytes
    return bytes
  }

  #dropSpare(): void {
    for (const table of this.#tables()) table.fields.dropSpare()
  }

  #samples(): number {
    const weight = this.#weight
    const sinceBytes = weight - (this.#countedWeight ?? -Infinity)
    if (sinceBytes < RECOUNT_BYTES) return this.#sampleBytes + sinceBytes
    this.#countedWeight = weight
    this.#sampleBytes = 0
    for (const { samples, packer } of this.#options.targets.values())
      this.#sampleBytes += samples.bytes + (packer?.cachedBytes ?? 0)
    return this.#sampleBytes
  }

  /** Upper bound of the memory of samples and series. */
  get #weight(): number {
    const { changeBytes, seriesBytes } = mostGrowth
    let weight = 0
    for (const { samples } of this.#options.targets.values())
      weight += samples.version * changeBytes + samples.series.arrivals * seriesBytes + samples.series.labelBytes
    return weight
  }

  #dropOldest(toBytes: number): void {
    let leftBytes = this.usedBytes
    let dropped: Dropped | undefined
    while (leftBytes > toBytes) {
      let oldest = this.#oldest()
      if (oldest === undefined) {
        // Seals the newest rows. Segments take less memory, and retention can drop them later.
        for (const table of this.#tables()) table.seal()
        for (const { packer } of this.#options.targets.values()) packer?.freezeColumns()
        this.#dropSpare()
        this.#countedWeight = undefined
        leftBytes = this.usedBytes
        if (leftBytes <= toBytes) break
        oldest = this.#oldest()
      }
      if (oldest === undefined) break
      const { rows, samples, bytes } = oldest.leave()
      dropped = together(dropped, { rows, samples, untilNs: oldest.lastNs })
      leftBytes -= bytes
    }
    this.#countedWeight = undefined
    if (dropped === undefined) return
    this.#dropSpare()
    this.#report(dropped)
  }

  /** Returns the candidate whose newest row or sample is the oldest. */
  #oldest(): Evictable | undefined {
    let oldest: Evictable | undefined
    for (const target of this.#options.targets.values())
      for (const each of leavingOf(target)) if (oldest === undefined || each.lastNs < oldest.lastNs) oldest = each
    return oldest
  }

  #report(dropped: Dropped): void {
    this.droppedRows += dropped.rows
    this.droppedSamples += dropped.samples
    this.#notLogged = together(this.#notLogged, dropped)
    const waitMs = this.#loggedMs + LOG_REPEAT_MS - performance.now()
    // The timer reports the last dropped rows if no further rows are dropped.
    if (waitMs > 0) this.#reportTimer ??= setTimeout(() => this.#reportNow(), waitMs).unref()
    else this.#reportNow()
  }

  #reportNow(): void {
    clearTimeout(this.#reportTimer)
    this.#reportTimer = undefined
    this.#loggedMs = performance.now()
    if (this.#notLogged !== undefined) this.#options.onDropped(this.#notLogged)
    this.#notLogged = undefined
  }
}

function together(before: Dropped | undefined, { rows, samples, untilNs }: Dropped): Dropped {
  return {
    rows: rows + (before?.rows ?? 0),
    samples: samples + (before?.samples ?? 0),
    untilNs: before === undefined || untilNs > before.untilNs ? untilNs : before.untilNs,
  }
}

/** Candidates for dropping: sealed segments, and the oldest packed sample file. */
function* leavingOf({ store, samples, packer }: IngestTarget): Generator<Evictable> {
  for (const table of store.memoryTables.values())
    for (const segment of table.segments.all) yield segmentOf(table, segment)
  const lastMs = packer?.oldestMs
  if (packer === undefined || lastMs === undefined) return
  yield {
    lastNs: BigInt(lastMs) * 1_000_000n,
    leave: () => {
      const bytes = samples.bytes
      const count = packer.dropOldest()
      return { rows: 0, samples: count, bytes: bytes - samples.bytes }
    },
  }
}

function segmentOf(table: MemoryTable, segment: Segment): Evictable {
  return {
    lastNs: lastNsOf(segment),
    leave: () => {
      table.segments.replace(new Set([segment]), [])
      return { rows: segment.rowCount, samples: 0, bytes: segment.memoryBytes }
    },
  }
}
