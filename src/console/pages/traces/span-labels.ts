import { signal } from '@preact/signals'
import type { Ask } from '../../ask/client.ts'
import type { SpanLabel } from '../../ask/traces.ts'

/** Labels that are kept: some windows of them, so that scrolling back is instant. */
const MAX_LABELS = 4000

/** The names of the spans near the visible ones. */
export class SpanLabels {
  /** Changes when names have arrived. */
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

  /** Asks for the names of those places that have none. */
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
