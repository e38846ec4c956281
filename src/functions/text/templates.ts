import { sortedBy, type Meter } from '../../base/index.ts'
import { collapseNumbersPretty, compareText } from '../../data/index.ts'

export interface Template {
  readonly pattern: string
  readonly hits: number
  /** First text with this template. */
  readonly sample: string
}

/** Counts templates of texts: numbers, ids, times and addresses are replaced. */
export class TemplateCounts {
  readonly #templates = new Map<string, { hits: number; readonly sample: string }>()
  readonly #meter: Meter

  constructor(meter: Meter) {
    this.#meter = meter
  }

  add(text: string): void {
    if (text !== '') this.count(collapseNumbersPretty(text), 1, text)
  }

  count(pattern: string, hits: number, sample: string): void {
    const known = this.#templates.get(pattern)
    if (known === undefined) {
      this.#meter.charge(96 + (pattern.length + sample.length) * 2)
      this.#templates.set(pattern, { hits, sample })
    } else {
      known.hits += hits
    }
  }

  /** All templates, in the order of their first texts. */
  all(): readonly Template[] {
    return Array.from(this.#templates, ([pattern, { hits, sample }]) => ({ pattern, hits, sample }))
  }

  /** Most frequent first, ties by code point. */
  sorted(): readonly Template[] {
    return sortedBy(this.all(), (a, b) => b.hits - a.hits || compareText(a.pattern, b.pattern))
  }
}
