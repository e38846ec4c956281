import type { BatchNumbers } from '../durable/index.ts'

/** A batch whose rows may not all lie in segments yet. */
interface LedgerEntry {
  readonly id: number
  /** Of its table. */
  readonly key: string
  /** The half-open range of numbers that its rows took; without an end while they are being taken. */
  readonly first: number
  end: number | undefined
  /** Whether its sender was told that it is stored: until then it may be taken back. */
  isTold: boolean
  /** Whether the manifest has the range. */
  isNumbered: boolean
}

/** Which rows came with which batch of the log, for as long as that matters. Entries come in the order of the log. */
export class BatchLedger {
  #entries: LedgerEntry[] = []

  begin(id: number, key: string, first: number, isNumbered: boolean): void {
    this.#entries.push({ id, key, first, end: undefined, isTold: false, isNumbered })
  }

  end(id: number, sequence: number): void {
    const entry = this.#find(id)
    if (entry !== undefined) entry.end = sequence
  }

  told(id: number): void {
    const entry = this.#find(id)
    if (entry !== undefined) entry.isTold = true
  }

  /** Rows of a table from here on belong to batches that may be taken back. */
  toldBefore(key: string): number {
    return this.#entries.find((entry) => entry.key === key && !entry.isTold)?.first ?? Infinity
  }

  /** The last of the batches that are not needed any more, the first of which has to be; `undefined` when there are none. */
  retirable(isKept: (key: string, end: number) => boolean): number | undefined {
    let id: number | undefined
    for (const entry of this.#entries) {
      if (!entry.isTold || entry.end === undefined) break
      if (!isKept(entry.key, entry.end)) break
      id = entry.id
    }
    return id
  }

  /** The number at which the rows of the first batch of a table behind a record begin; `undefined` when there is none. */
  firstBehind(id: number, key: string): number | undefined {
    return this.#entries.find((entry) => entry.id > id && entry.key === key)?.first
  }

  /** The batches of a table that have rows before a number and that the manifest has no range of. */
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

  /** In the middle of what is held, the id of a batch; `undefined` when there are few. */
  middle(): number | undefined {
    return this.#entries[this.#entries.length >> 1]?.id
  }

  #find(id: number): LedgerEntry | undefined {
    // Most look-ups are of the latest.
    return this.#entries.findLast((entry) => entry.id === id)
  }
}
