import type { Budget } from '../../base/index.ts'

/** The bytes one operator holds, as the budget sees them. */
export class Charge {
  readonly #budget: Budget
  #bytes = 0

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** Throws `budget/memory`. */
  add(bytes: number): void {
    this.#bytes += bytes
    this.#budget.charge(bytes)
  }

  /** Throws `budget/memory`. */
  set(bytes: number): void {
    this.add(bytes - this.#bytes)
  }

  release(): void {
    this.set(0)
  }
}
