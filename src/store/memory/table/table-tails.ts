import { Tail } from '../tail.ts'

/** The unsealed rows of a table: one open tail per epoch, and full tails that wait to be sealed. */
export class TableTails {
  readonly #open = new Map<number, Tail>()
  /** The full tails, oldest first. */
  readonly #full: Tail[] = []
  #version = 0

  /** A number that is greater after each added row and each sealed tail. */
  get version(): number {
    return this.#version
  }

  /** Returns the open tail of an epoch; creates it if there is none. */
  open(epoch: number): Tail {
    const known = this.#open.get(epoch)
    if (known !== undefined) return known
    const made = new Tail(epoch)
    this.#open.set(epoch, made)
    return made
  }

  /** Called after a row was added to a tail; returns true if the tail is full now. */
  added(tail: Tail): boolean {
    this.#version++
    if (!tail.isFull) return false
    this.#close(tail)
    return true
  }

  /** All tails: full ones first, then open ones. */
  get all(): readonly Tail[] {
    return [...this.#full, ...this.#open.values()]
  }

  /** The tails that accept no more rows and wait to be sealed, oldest first. */
  get full(): readonly Tail[] {
    return this.#full
  }

  /** Removes the oldest full tail. Its rows must be in a sealed segment. */
  removeSealed(): void {
    this.#full.shift()
    this.#version++
  }

  /** The number of unsealed rows. */
  get rowCount(): number {
    return this.all.reduce((sum, { rowCount }) => sum + rowCount, 0)
  }

  /** The lowest sequence number of an unsealed row; `undefined` if all rows are sealed. */
  get firstSequence(): number | undefined {
    let first: number | undefined
    for (const tail of this.all)
      if (tail.rowCount > 0 && (first === undefined || tail.sequences[0] < first)) [first] = tail.sequences
    return first
  }

  /** Closes every open tail that has a row with a lower sequence number, so that the tail can be sealed. */
  closeBefore(sequence: number): void {
    for (const tail of this.#open.values()) if (tail.rowCount > 0 && tail.sequences[0] < sequence) this.#close(tail)
  }

  /** Closes every open tail that has rows. */
  closeAll(): void {
    this.closeBefore(Infinity)
  }

  #close(tail: Tail): void {
    this.#open.delete(tail.epoch)
    this.#full.push(tail)
  }
}
