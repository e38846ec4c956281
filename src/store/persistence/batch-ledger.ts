import type { BatchNumbers } from '../durable/index.ts'

/** A batch that may have rows that are not in segments yet. */
interface LedgerEntry {
  readonly id: number
  /** The key of its table. */
  readonly key: string
  /**
   * The half-open range `[first, end)` of sequence numbers of its rows. `end` is `undefined` while the batch is being
   * stored.
   */
  readonly first: number
  end: number | undefined
  /** True if the batch was acknowledged to its sender. Until then it may be rolled back. */
  isAcknowledged: boolean
  /** True if the manifest has the range. */
  isNumbered: boolean
}

/**
 * Maps batches in the log to the sequence numbers of their rows, until all their rows are in segments. Entries are in
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
   * Returns the sequence number from which the rows of a table belong to batches that are not acknowledged; `Infinity`
   * when all are.
   */
  acknowledgedBefore(key: string): number {
    return this.#entries.find((entry) => entry.key === key && !entry.isAcknowledged)?.first ?? Infinity
  }

  /**
   * Returns the id of the last batch that the log no longer needs, counted without gaps from the oldest one.
   * `undefined` when the oldest batch is still needed.
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

  /** Returns the first sequence number of the table's first batch after record `id`; `undefined` when there is none. */
  firstBehind(id: number, key: string): number | undefined {
    return this.#entries.find((entry) => entry.id > id && entry.key === key)?.first
  }

  /** Returns the batches of a table that have rows before a sequence number and whose range is not in the manifest. */
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

  /** Returns the id of the batch in the middle of the ledger; `undefined` when the ledger is empty. */
  middle(): number | undefined {
    return this.#entries[this.#entries.length >> 1]?.id
  }

  #find(id: number): LedgerEntry | undefined {
    // Most lookups are for the latest entry.
    return this.#entries.findLast((entry) => entry.id === id)
  }
}
