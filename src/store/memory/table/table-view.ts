import { MAX_NS, MIN_NS, type Interval } from '../../../base/index.ts'
import type { RecordBatch } from '../../../data/index.ts'
import type {
  Estimate,
  FilterGrade,
  KnownFields,
  RecordTableDefinition,
  ScanResult,
  TableStatistics,
} from '../../../plan/index.ts'
import { knownFieldsOf, rowsInRange, soonKnownFields } from '../known-fields.ts'
import { batchesAsStored, batchesNewestFirst } from '../scan-segments.ts'
import { epochStartNs, type Segment } from '../segment.ts'
import type { SegmentTable } from '../segment-table.ts'
import type { Tail } from '../tail.ts'
import type { SegmentList } from './segment-list.ts'
import type { TableFields } from './table-fields.ts'
import type { TableSealer } from './table-sealer.ts'
import type { TableTails } from './table-tails.ts'
import { TimeSpan } from './time-span.ts'

/** Number of new unsealed rows in a tail from which a snapshot makes a lasting segment of them. */
const SNAPSHOT_ROWS = 2048

export interface MemoryTableUsage {
  readonly rows: number
  /** The number of unsealed rows. */
  readonly tailRows: number
  readonly segments: number
  /** The bytes of columns, indexes and dictionaries, including those of unsealed rows. */
  readonly memoryBytes: number
  readonly indexBytes: number
  readonly dictionaryBytes: number
  readonly minTimeNs: bigint | undefined
  readonly maxTimeNs: bigint | undefined
}

/** A table in memory as queries see it: all rows as segments, with statistics. */
export class TableView implements SegmentTable {
  readonly definition: RecordTableDefinition
  /** The sealer of the table, for engines that build word indexes in other threads. */
  readonly sealer: TableSealer
  readonly #fields: TableFields
  readonly #tails: TableTails
  readonly #segments: SegmentList
  #latest: { readonly version: number; readonly segments: readonly Segment[] } | undefined
  /** For each tail, a segment of its latest rows, and the version of the tail for which it was made. */
  readonly #ofTails = new WeakMap<Tail, { readonly version: number; readonly segment: Segment }>()

  constructor(
    definition: RecordTableDefinition,
    parts: {
      readonly fields: TableFields
      readonly tails: TableTails
      readonly segments: SegmentList
      readonly sealer: TableSealer
    },
  ) {
    this.definition = definition
    this.sealer = parts.sealer
    this.#fields = parts.fields
    this.#tails = parts.tails
    this.#segments = parts.segments
  }

  /** A number that changes whenever the snapshot changes. */
  get version(): number {
    return this.#tails.version + this.#segments.version
  }

  segments(): readonly Segment[] {
    return this.snapshot()
  }

  grade(): FilterGrade {
    return 'none'
  }

  scan(): ScanResult {
    return { applied: { order: true }, batches: batchesNewestFirst(this.snapshot()) }
  }

  /** Returns all rows in the order of ingestion. */
  batchesAsStored(): Iterable<RecordBatch> {
    return batchesAsStored(this.snapshot())
  }

  rowsIn(range: Interval): number {
    return rowsInRange(this.snapshot(), range)
  }

  knownFields(): KnownFields {
    return soonKnownFields(this.snapshot(), this.definition)
  }

  /** Returns the names of all fields that occurred in rows, including fields that the table does not store. */
  namesMet(): Iterable<string> {
    return [...this.#fields.skipped, ...knownFieldsOf(this.snapshot(), this.definition).fields().keys()]
  }

  /** Returns the first and the last time of all rows. */
  times(): TimeSpan {
    const span = new TimeSpan()
    for (const { epoch, firstDelta, lastDelta } of this.snapshot()) {
      span.add({ epoch, delta: firstDelta })
      span.add({ epoch, delta: lastDelta })
    }
    return span
  }

  stats(): TableStatistics {
    const { rows, minTimeNs, maxTimeNs } = this.usage()
    const exact = <T>(value: T): Estimate<T> => ({ value, source: 'exact' })
    return {
      rows: exact(rows),
      ...(minTimeNs === undefined ? {} : { minTimeNs: exact(minTimeNs) }),
      ...(maxTimeNs === undefined ? {} : { maxTimeNs: exact(maxTimeNs) }),
    }
  }

  /**
   * Returns all rows as segments, which stay valid while the table grows. The array is the same until `version`
   * changes.
   */
  snapshot(): readonly Segment[] {
    const { version } = this
    if (this.#latest?.version !== version) this.#latest = { version, segments: this.#snapshot() }
    return this.#latest.segments
  }

  #snapshot(): readonly Segment[] {
    const segments = [...this.#segments.all]
    for (const tail of this.#tails.all) {
      // After a start, queries may read a full tail long before it is sealed. The sealer reuses the segment made here.
      if (tail.snapshotRows === 0 && this.#tails.full.includes(tail)) tail.sealed ??= this.sealer.segmentOf(tail, 0)
      if (tail.sealed !== undefined) {
        segments.push(tail.sealed)
        continue
      }
      this.#extendSnapshot(tail)
      segments.push(...tail.snapshots)
      if (tail.rowCount === tail.snapshotRows) continue
      let known = this.#ofTails.get(tail)
      if (known?.version !== tail.version) {
        known = { version: tail.version, segment: this.sealer.segmentOf(tail, tail.snapshotRows) }
        this.#ofTails.set(tail, known)
      }
      segments.push(known.segment)
    }
    return segments
  }

  /**
   * If a tail has at least `SNAPSHOT_ROWS` rows after its last segment, makes a segment of them that lasts until the
   * tail is sealed. Later snapshots then convert only newer rows.
   */
  #extendSnapshot(tail: Tail): void {
    if (tail.rowCount - tail.snapshotRows < SNAPSHOT_ROWS) return
    tail.snapshots.push(this.sealer.segmentOf(tail, tail.snapshotRows))
    tail.snapshotRows = tail.rowCount
  }

  /**
   * The bytes of segments, tails and dictionaries. Cached blocks of files are not included: their caches count them.
   */
  get memoryBytes(): number {
    let bytes = this.#fields.dictionaryBytes + this.#fields.spareBytes
    for (const { memoryBytes } of this.#segments.all) bytes += memoryBytes
    for (const { memoryBytes } of this.#tails.all) bytes += memoryBytes
    return bytes
  }

  usage(): MemoryTableUsage {
    let rows = 0
    let indexBytes = 0
    let min = MAX_NS
    let max = MIN_NS
    const see = (first: bigint, last: bigint): void => {
      if (first < min) min = first
      if (last > max) max = last
    }
    for (const segment of this.#segments.all) {
      rows += segment.rowCount
      indexBytes += segment.words?.memoryBytes ?? 0
      const start = epochStartNs(segment.epoch)
      see(start + BigInt(segment.firstDelta), start + BigInt(segment.lastDelta))
    }
    for (const { epoch, rowCount, deltas } of this.#tails.all) {
      const start = epochStartNs(epoch)
      for (let row = 0; row < rowCount; row++) see(start + BigInt(deltas[row]), start + BigInt(deltas[row]))
    }
    const tailRows = this.#tails.rowCount
    const isEmpty = rows + tailRows === 0
    return {
      rows: rows + tailRows,
      tailRows,
      segments: this.#segments.all.length,
      memoryBytes: this.memoryBytes,
      indexBytes,
      dictionaryBytes: this.#fields.dictionaryBytes,
      minTimeNs: isEmpty ? undefined : min,
      maxTimeNs: isEmpty ? undefined : max,
    }
  }
}
