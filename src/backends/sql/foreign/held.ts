import type { Budget } from '../../../base/index.ts'

/** Memory that a run holds for some time, charged to the budget until `clear` releases all of it. */
export class Held {
  readonly #budget: Budget
  #bytes = 0

  constructor(budget: Budget) {
    this.#budget = budget
  }

  add(bytes: number): void {
    this.#bytes += bytes
    this.#budget.charge(bytes)
  }

  clear(): void {
    this.#budget.charge(-this.#bytes)
    this.#bytes = 0
  }
}
