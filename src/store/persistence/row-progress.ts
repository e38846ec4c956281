import { SluiceError, nowhere } from '../../base/index.ts'
import { durableDiagnostic, type BatchNumbers, type ManifestEdit, type ManifestState } from '../durable/index.ts'
import type { Segment } from '../memory/index.ts'
import { BatchLedger } from './batch-ledger.ts'
import type { PersistedTable } from './persisted-table.ts'

/** The part of the manifest that `RowProgress` reads. */
interface NamedBatches {
  readonly state: Pick<ManifestState, 'batches' | 'retiredTo'>
}

/** The members of a manifest edit that describe batches. */
type BatchesEdit = Required<Pick<ManifestEdit, 'retiredTo' | 'batches'>>

/** Returns the sequence number after the last row of a segment. */
export function endSequence({ sequenceBase, sequenceOffsets, rowCount }: Segment): number {
  if (sequenceOffsets === undefined) return sequenceBase + rowCount
  let last = 0
  for (const offset of sequenceOffsets) if (offset > last) last = offset
  return sequenceBase + last + 1
}

/**
 * Tracks where the rows of a folder are: only in the log, in sealed segments that wait for their files, or in files
 * that the manifest names. Each event changes this state. `TablePersister` and `SegmentPersister` act on it.
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

  /** The id up to which the log no longer needs its batches. */
  get retiredTo(): number {
    return this.#retiredTo
  }

  /** Event: the log has been replayed. */
  replayed(): void {
    this.#isReplaying = false
  }

  /**
   * Event: a batch begins. `next` is the next sequence number of its table. Returns the sequence number of its first
   * row.
   */
  begun(id: number, persisted: PersistedTable, next: number): number {
    const numbers = this.#numbersOf(id)
    const first = this.#isReplaying ? (numbers?.first ?? Math.max(persisted.next, next)) : next
    this.#ledger.begin(id, persisted.key, first, numbers !== undefined)
    return first
  }

  /**
   * Event: the rows of a batch are in its table; their sequence numbers are below `end`. Throws SluiceError
   * `durable/other-rows` when a replayed batch has rows in segments and its number of rows has changed.
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
   * Event: the edit that names the first waiting segment is about to be committed. Returns what the edit says about
   * batches.
   */
  naming(persisted: PersistedTable, segment: Segment): BatchesEdit {
    persisted.waiting.shift()
    const retiredTo = this.#ledger.retirable((key, end) => end <= this.#namedBefore(key)) ?? this.#retiredTo
    const numbers = [...this.#ledger.unnumbered(persisted.key, endSequence(segment))].filter(([id]) => id > retiredTo)
    return { retiredTo, batches: numbers.map(([id, { first, end }]) => [id, first, end] as const) }
  }

  /** Event: the edit that `naming` returned was committed. */
  named({ retiredTo, batches }: BatchesEdit): void {
    this.#ledger.numbered(new Set(batches.map(([id]) => id)))
    this.#retiredTo = retiredTo
    this.#ledger.retire(retiredTo)
  }

  /** Event: the edit that `naming` returned could not be committed. */
  notNamed(persisted: PersistedTable, segment: Segment): void {
    persisted.waiting.unshift(segment)
  }

  /** The number of segments that wait for their files. */
  get waitingSegments(): number {
    let count = 0
    for (const { waiting } of this.#tables.values()) count += waiting.length
    return count
  }

  /** Returns the waiting segments of a table whose rows are all acknowledged, oldest first. */
  ready({ key, waiting }: PersistedTable): readonly Segment[] {
    if (waiting.length === 0) return []
    const before = this.#ledger.acknowledgedBefore(key)
    const end = waiting.findIndex((segment) => endSequence(segment) > before)
    return end === -1 ? waiting.slice() : waiting.slice(0, end)
  }

  /**
   * Returns, for each table, the sequence number below which rows must be sealed so that the older half of the needed
   * batches can leave the log. `undefined` when no batch is needed.
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

  /** Returns the sequence numbers that the manifest has for a replayed batch. */
  #numbersOf(id: number): BatchNumbers | undefined {
    return this.#isReplaying ? this.#manifest.state.batches.get(id) : undefined
  }

  /** Returns the sequence number below which the rows of a table are in segments that are named or about to be. */
  #namedBefore(key: string): number {
    const persisted = this.#tables.get(key)
    if (persisted === undefined) return 0
    const { table, waiting } = persisted
    const unsealed = table.tails.firstSequence ?? Infinity
    return waiting.reduce((first, { sequenceBase }) => Math.min(first, sequenceBase), unsealed)
  }
}
