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

  label(place: number): SpanLabel | undefined {
    return this.#labels.get(place)
  }

  /** Requests the labels of spans that are not cached. */
  want(places: Iterable<number>): void {
    const missing = [...places].filter((place) => !this.#labels.has(place) && !this.#asked.has(place))
    if (missing.length === 0) return
    for (const place of missing) this.#asked.add(place)
    void this.#fetch(missing)
  }

  async #fetch(places: readonly number[]): Promise<void> {
    try {
      for (const label of await this.#ask('spans', { answer: this.#answer, places })) {
        this.#labels.set(label.place, label)
        const [oldest] = this.#labels.keys()
        if (this.#labels.size > MAX_LABELS && oldest !== undefined) this.#labels.delete(oldest)
      }
      this.version.value++
    } finally {
      for (const place of places) this.#asked.delete(place)
    }
  }
}
