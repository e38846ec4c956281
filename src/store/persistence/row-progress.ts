import { SluiceError, nowhere } from '../../base/index.ts'
import { durableDiagnostic, type BatchNumbers, type ManifestEdit, type ManifestState } from '../durable/index.ts'
import type { Segment } from '../memory/index.ts'
import { BatchLedger } from './batch-ledger.ts'
import type { PersistedTable } from './persisted-table.ts'

/** The part of the manifest that `RowProgress` reads. */
interface NamedBatches {
  readonly state: Pick<ManifestState, 'batches' | 'retiredTo'>
}

/** The members of a manifest edit that concern batches. */
type BatchesEdit = Required<Pick<ManifestEdit, 'retiredTo' | 'batches'>>

/** Returns one more than the highest sequence number of a segment's rows. */
export function endSequence({ sequenceBase, sequenceOffsets, rowCount }: Segment): number {
  if (sequenceOffsets === undefined) return sequenceBase + rowCount
  let last = 0
  for (const offset of sequenceOffsets) if (offset > last) last = offset
  return sequenceBase + last + 1
}

/**
 * Tracks where the rows of a folder are: only in the log, in sealed segments that wait for their files, or in files of
 * the manifest. Methods named for an event record it; `TablePersister` and `SegmentPersister` act on the resulting
 * state.
 */
export class RowProgress {
  readonly #manifest: NamedBatches
  readonly #tables: ReadonlyMap<string, PersistedTable>
  readonly #ledger = new BatchLedger()
  #isReplaying = true
  #retiredTo: number

  constructor(manifest: NamedBatches, tables: ReadonlyMap<string, PersistedTable>) {
    this.#manifest = manifest
    this.#tables = tables
    this.#retiredTo = manifest.state.retiredTo
  }

  /** True until the log has been replayed. */
  get isReplaying(): boolean {
    return this.#isReplaying
  }

  /** The record id up to which the log no longer needs its batches. */
  get retiredTo(): number {
    return this.#retiredTo
  }

  /** Event: the log has been replayed. */
  replayed(): void {
    this.#isReplaying = false
  }

  /**
   * Event: storing a batch begins. `next` is the next sequence number of its table. Returns the sequence number of the
   * batch's first row.
   */
  begun(id: number, persisted: PersistedTable, next: number): number {
    const numbers = this.#numbersOf(id)
    const first = this.#isReplaying ? (numbers?.first ?? Math.max(persisted.next, next)) : next
    this.#ledger.begin(id, persisted.key, first, numbers !== undefined)
    return first
  }

  /**
   * Event: the rows of a batch are in the table, with sequence numbers below `end`. Throws SluiceError
   * `durable/other-rows` if a replayed batch already has rows in segments but now decodes to another number of rows.
   */
  ended(id: number, persisted: PersistedTable, end: number): void {
    const numbers = this.#numbersOf(id)
    if (numbers !== undefined && numbers.end !== end) {
      const { first } = numbers
      const counts = { stored: numbers.end - first, read: end - first }
      const table = persisted.table.definition.name
      throw new SluiceError([durableDiagnostic('other-rows', { id, table, ...counts }, nowhere)])
    }
    if (end > persisted.next) persisted.next = end
    this.#ledger.end(id, end)
  }

  /** Event: a batch was acknowledged to its sender. */
  acknowledge(id: number): void {
    this.#ledger.acknowledge(id)
  }

  /** Event: a segment was sealed and waits for its file. */
  sealed(persisted: PersistedTable, segment: Segment): void {
    persisted.waiting.push(segment)
  }

  /**
   * Event: an edit that names the first waiting segment will be committed. Returns what this edit must say about
   * batches.
   */
  naming(persisted: PersistedTable, segment: Segment): BatchesEdit {
    persisted.waiting.shift()
    const retiredTo = this.#ledger.retirable((key, end) => end <= this.#namedBefore(key)) ?? this.#retiredTo
    const numbers = [...this.#ledger.unnumbered(persisted.key, endSequence(segment))].filter(([id]) => id > retiredTo)
    return { retiredTo, batches: numbers.map(([id, { first, end }]) => [id, first, end] as const) }
  }

  /** Event: the edit from `naming` was committed. */
  named({ retiredTo, batches }: BatchesEdit): void {
    this.#ledger.numbered(new Set(batches.map(([id]) => id)))
    this.#retiredTo = retiredTo
    this.#ledger.retire(retiredTo)
  }

  /** Event: the edit from `naming` could not be committed. */
  notNamed(persisted: PersistedTable, segment: Segment): void {
    persisted.waiting.unshift(segment)
  }

  /** The number of segments that wait for their files. */
  get waitingSegments(): number {
    let count = 0
    for (const { waiting } of this.#tables.values()) count += waiting.length
    return count
  }

  /** Returns the waiting segments, oldest first, up to the first that has unacknowledged rows. */
  ready({ key, waiting }: PersistedTable): readonly Segment[] {
    if (waiting.length === 0) return []
    const before = this.#ledger.acknowledgedBefore(key)
    const end = waiting.findIndex((segment) => endSequence(segment) > before)
    return end === -1 ? waiting.slice() : waiting.slice(0, end)
  }

  /**
   * Returns, for each table, the sequence number below which rows must be sealed so that the older half of the batches
   * can leave the log. `undefined` if the log needs no batch.
   */
  halfOfLog(): ReadonlyMap<PersistedTable, number> | undefined {
    const middle = this.#ledger.middle()
    if (middle === undefined) return undefined
    return new Map(
      Array.from(this.#tables.values(), (persisted) => [
        persisted,
        this.#ledger.firstBehind(middle, persisted.key) ?? Infinity,
      ]),
    )
  }

  /** Returns the sequence numbers of a replayed batch according to the manifest. */
  #numbersOf(id: number): BatchNumbers | undefined {
    return this.#isReplaying ? this.#manifest.state.batches.get(id) : undefined
  }

  /**
   * Returns the sequence number below which all rows of a table are in segments that the manifest names or the current
   * edit will name.
   */
  #namedBefore(key: string): number {
    const persisted = this.#tables.get(key)
    if (persisted === undefined) return 0
    const { table, waiting } = persisted
    const unsealed = table.tails.firstSequence ?? Infinity
    return waiting.reduce((first, { sequenceBase }) => Math.min(first, sequenceBase), unsealed)
  }
}
