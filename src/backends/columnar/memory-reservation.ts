import type { Budget, Meter } from '../../base/index.ts'

/**
 * The memory of one operator, charged to the query's budget. Functions that hold memory charge it here, as to any
 * `Meter`.
 */
export class MemoryReservation implements Meter {
  readonly #budget: Budget
  #bytes = 0

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** Adds bytes to the reservation. Throws `budget/memory` when they exceed the budget. */
  charge(bytes: number): void {
    this.#bytes += bytes
    this.#budget.charge(bytes)
  }

  /** Changes the reservation to this many bytes. Throws `budget/memory` when they exceed the budget. */
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
