import type { Budget, Meter } from '../../base/index.ts'

/** The memory of one operator, charged to the budget. As a meter it also counts what its functions hold. */
export class MemoryReservation implements Meter {
  readonly #budget: Budget
  #bytes = 0

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** Charges more bytes. Throws `budget/memory`. */
  charge(bytes: number): void {
    this.#bytes += bytes
    this.#budget.charge(bytes)
  }

  /** Sets the charged bytes. Throws `budget/memory`. */
  set(bytes: number): void {
    this.charge(bytes - this.#bytes)
  }

  release(): void {
    this.set(0)
  }

  text(chars: number, maker: string): void {
    this.#budget.text(chars, maker)
  }

  room(chars: number): void {
    this.#budget.room(chars)
  }

  items(count: number, maker: string): void {
    this.#budget.items(count, maker)
  }

  checkpoint(): void {
    this.#budget.checkpoint()
  }
}
