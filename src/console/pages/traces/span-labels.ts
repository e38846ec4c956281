import { signal } from '@preact/signals'
import type { Ask } from '../../ask/client.ts'
import type { SpanLabel } from '../../ask/traces.ts'

/** Maximum number of cached labels: those of some windows, so that scrolling back needs no request. */
const MAX_LABELS = 4000

/** Cache of the labels of spans near the visible ones. */
export class SpanLabels {
  /** Incremented when labels have arrived. */
  readonly version = signal(0)
  readonly #ask: Ask
  readonly #answer: number
  readonly #labels = new Map<number, SpanLabel>()
  readonly #asked = new Set<number>()

  constructor(ask: Ask, answer: number) {
    this.#ask = ask
    this.#answer = answer
  }

  label(position: number): SpanLabel | undefined {
    return this.#labels.get(position)
  }

  /** Requests the labels of spans that are not cached. */
  want(positions: Iterable<number>): void {
    const missing = [...positions].filter((position) => !this.#labels.has(position) && !this.#asked.has(position))
    if (missing.length === 0) return
    for (const position of missing) this.#asked.add(position)
    void this.#fetch(missing)
  }

  async #fetch(positions: readonly number[]): Promise<void> {
    try {
      for (const label of await this.#ask('spans', { answer: this.#answer, positions })) {
        this.#labels.set(label.position, label)
        const [oldest] = this.#labels.keys()
        if (this.#labels.size > MAX_LABELS && oldest !== undefined) this.#labels.delete(oldest)
      }
      this.version.value++
    } finally {
      for (const position of positions) this.#asked.delete(position)
    }
  }
}
