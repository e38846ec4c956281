import { Tail } from '../tail.ts'

/** The rows of a table that are not sealed yet: one open tail per epoch, and full tails that wait for the sealer. */
export class TableTails {
  readonly #open = new Map<number, Tail>()
  /** Oldest first. */
  readonly #full: Tail[] = []
  #version = 0

  /** Grows with each added row and each sealed tail. */
  get version(): number {
    return this.#version
  }

  /** The tail that takes rows of an epoch, made when there is none. */
  open(epoch: number): Tail {
    const known = this.#open.get(epoch)
    if (known !== undefined) return known
    const made = new Tail(epoch)
    this.#open.set(epoch, made)
    return made
  }

  /** Counts a row that was added to a tail; true if the tail is full now. */
  added(tail: Tail): boolean {
    this.#version++
    if (!tail.isFull) return false
    this.#close(tail)
    return true
  }

  /** Full tails, then open ones. */
  get all(): readonly Tail[] {
    return [...this.#full, ...this.#open.values()]
  }

  /** Tails that take no more rows and are not sealed yet, oldest first. */
  get full(): readonly Tail[] {
    return this.#full
  }

  /** Removes the oldest full tail once a sealed segment has its rows. */
  removeSealed(): void {
    this.#full.shift()
    this.#version++
  }

  /** Rows that are not sealed yet. */
  get rowCount(): number {
    return this.all.reduce((sum, { rowCount }) => sum + rowCount, 0)
  }

  /** The least sequence number of a row that is not sealed; `undefined` if all are sealed. */
  get firstSequence(): number | undefined {
    let first: number | undefined
    for (const tail of this.all)
      if (tail.rowCount > 0 && (first === undefined || tail.sequences[0] < first)) [first] = tail.sequences
    return first
  }

  /** Makes every open tail full that has a row before a sequence number, so that the sealer seals it. */
  closeBefore(sequence: number): void {
    for (const tail of this.#open.values()) if (tail.rowCount > 0 && tail.sequences[0] < sequence) this.#close(tail)
  }

  /** Makes every open tail with rows full. */
  closeAll(): void {
    this.closeBefore(Infinity)
  }

  #close(tail: Tail): void {
    this.#open.delete(tail.epoch)
    this.#full.push(tail)
  }
}
