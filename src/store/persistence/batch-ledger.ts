import type { BatchNumbers } from '../durable/index.ts'

/** A batch in the log that may have rows outside segments. */
interface LedgerEntry {
  readonly id: number
  /** The key of the batch's table. */
  readonly key: string
  /**
   * The sequence numbers of the batch's rows are in `[first, end)`. `end` is `undefined` while the batch is being
   * stored.
   */
  readonly first: number
  end: number | undefined
  /** True if the batch was acknowledged to its sender. An unacknowledged batch may be rolled back. */
  isAcknowledged: boolean
  /** True if the manifest has the sequence numbers of the batch. */
  isNumbered: boolean
}

/**
 * Maps each batch in the log to the sequence numbers of its rows, until all these rows are in segments. Entries are in
 * log order.
 */
export class BatchLedger {
  #entries: LedgerEntry[] = []

  begin(id: number, key: string, first: number, isNumbered: boolean): void {
    this.#entries.push({ id, key, first, end: undefined, isAcknowledged: false, isNumbered })
  }

  end(id: number, sequence: number): void {
    const entry = this.#find(id)
    if (entry !== undefined) entry.end = sequence
  }

  acknowledge(id: number): void {
    const entry = this.#find(id)
    if (entry !== undefined) entry.isAcknowledged = true
  }

  /**
   * Returns the first sequence number of a table that belongs to an unacknowledged batch; `Infinity` if all are
   * acknowledged.
   */
  acknowledgedBefore(key: string): number {
    return this.#entries.find((entry) => entry.key === key && !entry.isAcknowledged)?.first ?? Infinity
  }

  /**
   * Returns the id of the last batch in the longest run of batches, from the oldest on, that the log no longer needs;
   * `undefined` if it still needs the oldest.
   */
  retirable(isKept: (key: string, end: number) => boolean): number | undefined {
    let id: number | undefined
    for (const entry of this.#entries) {
      if (!entry.isAcknowledged || entry.end === undefined) break
      if (!isKept(entry.key, entry.end)) break
      id = entry.id
    }
    return id
  }

  /**
   * Returns the first sequence number of the table's first batch after record `id`; `undefined` if there is no such
   * batch.
   */
  firstBehind(id: number, key: string): number | undefined {
    return this.#entries.find((entry) => entry.id > id && entry.key === key)?.first
  }

  /** Returns the batches of a table that have rows below a sequence number and are not numbered in the manifest. */
  unnumbered(key: string, before: number): ReadonlyMap<number, BatchNumbers> {
    const found = new Map<number, BatchNumbers>()
    for (const { id, key: own, first, end, isNumbered } of this.#entries)
      if (own === key && !isNumbered && end !== undefined && first < before) found.set(id, { first, end })
    return found
  }

  numbered(ids: ReadonlySet<number>): void {
    for (const entry of this.#entries) entry.isNumbered ||= ids.has(entry.id)
  }

  retire(id: number): void {
    this.#entries = this.#entries.filter((entry) => entry.id > id)
  }

  /** Returns the id of the batch in the middle of the ledger; `undefined` if the ledger is empty. */
  middle(): number | undefined {
    return this.#entries[this.#entries.length >> 1]?.id
  }

  #find(id: number): LedgerEntry | undefined {
    // Most lookups are for the latest entry.
    return this.#entries.findLast((entry) => entry.id === id)
  }
}
