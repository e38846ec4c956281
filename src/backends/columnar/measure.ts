import type { ExplainMeasure } from '../../plan/index.ts'

/** What one node did during a run. */
export class Measure {
  rows = 0
  milliseconds = 0
  /** What was decided while it ran, for `explain`. */
  readonly notes: string[] = []
  readonly #counters = new Map<string, number>()

  count(name: string, amount: number): void {
    this.#counters.set(name, (this.#counters.get(name) ?? 0) + amount)
  }

  snapshot(): ExplainMeasure {
    return { rows: this.rows, milliseconds: this.milliseconds, counters: Object.fromEntries(this.#counters) }
  }
}
