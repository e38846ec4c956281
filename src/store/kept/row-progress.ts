import { SluiceError, nowhere } from '../../base/index.ts'
import { durableDiagnostic, type BatchNumbers, type ManifestEdit, type ManifestState } from '../durable/index.ts'
import type { Segment } from '../memory/index.ts'
import { BatchLedger } from './batch-ledger.ts'
import type { Kept } from './folder-edits.ts'

/** The part of the manifest that the reducer reads. */
interface NamedBatches {
  readonly state: Pick<ManifestState, 'batches' | 'retiredTo'>
}

/** The members about batches of the manifest edit that names a segment. */
type BatchesEdit = Required<Pick<ManifestEdit, 'retiredTo' | 'batches'>>

/** Behind the last row of a segment, in the order of ingestion. */
export function endSequence({ sequenceBase, sequenceOffsets, rowCount }: Segment): number {
  if (sequenceOffsets === undefined) return sequenceBase + rowCount
  let last = 0
  for (const offset of sequenceOffsets) if (offset > last) last = offset
  return sequenceBase + last + 1
}

/**
 * How far the rows of a folder are on their way: in the log alone, in sealed segments that wait for their files, or in files that the
 * manifest names. Each event changes this state; acting on the state is the business of `KeptTables` and `SegmentPersister`.
 */
export class RowProgress {
  readonly #manifest: NamedBatches
  readonly #tables: ReadonlyMap<string, Kept>
  readonly #ledger = new BatchLedger()
  #isReplaying = true
  #retiredTo: number

  constructor(manifest: NamedBatches, tables: ReadonlyMap<string, Kept>) {
    this.#manifest = manifest
    this.#tables = tables
    this.#retiredTo = manifest.state.retiredTo
  }

  /** True until the log is read back. */
  get isReplaying(): boolean {
    return this.#isReplaying
  }

  /** Batches up to this id are not needed in the log. */
  get retiredTo(): number {
    return this.#retiredTo
  }

  /** Event: the log is read back. */
  replayed(): void {
    this.#isReplaying = false
  }

  /** Event: a batch begins, whose rows would have sequence numbers from `next` on. Gives the number of its first row. */
  begun(id: number, kept: Kept, next: number): number {
    const numbers = this.#numbersOf(id)
    const first = this.#isReplaying ? (numbers?.first ?? Math.max(kept.next, next)) : next
    this.#ledger.begin(id, kept.key, first, numbers !== undefined)
    return first
  }

  /**
   * Event: the rows of a batch are in its table, with sequence numbers before `end`. Throws SluiceError `durable/other-rows` for a batch
   * that is read back, has rows in segments, and has another count of rows now.
   */
  ended(id: number, kept: Kept, end: number): void {
    const numbers = this.#numbersOf(id)
    if (numbers !== undefined && numbers.end !== end) {
      const { first } = numbers
      const counts = { stored: numbers.end - first, read: end - first }
      const table = kept.table.definition.name
      throw new SluiceError([durableDiagnostic('other-rows', { id, table, ...counts }, nowhere)])
    }
    if (end > kept.next) kept.next = end
    this.#ledger.end(id, end)
  }

  /** Event: the sender of a batch has been told that it is stored. */
  acknowledged(id: number): void {
    this.#ledger.told(id)
  }

  /** Event: a segment was sealed, and waits for its file. */
  sealed(kept: Kept, segment: Segment): void {
    kept.waiting.push(segment)
  }

  /** Event: the edit that names a segment, the first that waits, is about to be committed. Gives what it says of batches. */
  naming(kept: Kept, segment: Segment): BatchesEdit {
    kept.waiting.shift()
    const retiredTo = this.#ledger.retirable((key, end) => end <= this.#namedBefore(key)) ?? this.#retiredTo
    const numbers = [...this.#ledger.unnumbered(kept.key, endSequence(segment))].filter(([id]) => id > retiredTo)
    return { retiredTo, batches: numbers.map(([id, { first, end }]) => [id, first, end] as const) }
  }

  /** Event: that edit was committed. */
  named({ retiredTo, batches }: BatchesEdit): void {
    this.#ledger.numbered(new Set(batches.map(([id]) => id)))
    this.#retiredTo = retiredTo
    this.#ledger.retire(retiredTo)
  }

  /** Event: that edit could not be committed. */
  notNamed(kept: Kept, segment: Segment): void {
    kept.waiting.unshift(segment)
  }

  /** Segments that wait for their files. */
  get waitingSegments(): number {
    let count = 0
    for (const { waiting } of this.#tables.values()) count += waiting.length
    return count
  }

  /** Waiting segments of a table whose senders all know that their rows are stored, oldest first. */
  ready({ key, waiting }: Kept): readonly Segment[] {
    if (waiting.length === 0) return []
    const before = this.#ledger.toldBefore(key)
    const end = waiting.findIndex((segment) => endSequence(segment) > before)
    return end === -1 ? waiting.slice() : waiting.slice(0, end)
  }

  /**
   * For each table, the sequence number before which rows must be sealed so that the older half of the needed batches can leave the log;
   * `undefined` where no batch is needed.
   */
  halfOfLog(): ReadonlyMap<Kept, number> | undefined {
    const middle = this.#ledger.middle()
    if (middle === undefined) return undefined
    return new Map(
      Array.from(this.#tables.values(), (kept) => [kept, this.#ledger.firstBehind(middle, kept.key) ?? Infinity]),
    )
  }

  /** Sequence numbers that the manifest has of a batch that is read back. */
  #numbersOf(id: number): BatchNumbers | undefined {
    return this.#isReplaying ? this.#manifest.state.batches.get(id) : undefined
  }

  /** Rows of a table before this one lie in segments that are named, or are about to be. */
  #namedBefore(key: string): number {
    const kept = this.#tables.get(key)
    if (kept === undefined) return 0
    const { table, waiting } = kept
    const unsealed = table.tails.firstSequence ?? Infinity
    return waiting.reduce((first, { sequenceBase }) => Math.min(first, sequenceBase), unsealed)
  }
}
