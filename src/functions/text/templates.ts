import { collapseNumbersPretty, compareText } from '../../data/index.ts'

export interface Template {
  readonly pattern: string
  readonly hits: number
  /** The first text of this template. */
  readonly sample: string
}

/** How often each template of a text was seen: numbers, ids, times and addresses folded. */
export class TemplateCounts {
  readonly #templates = new Map<string, { hits: number; readonly sample: string }>()
  #bytes = 64

  add(text: string): void {
    if (text !== '') this.count(collapseNumbersPretty(text), 1, text)
  }

  count(pattern: string, hits: number, sample: string): void {
    const known = this.#templates.get(pattern)
    if (known === undefined) {
      this.#templates.set(pattern, { hits, sample })
      this.#bytes += 96 + (pattern.length + sample.length) * 2
    } else {
      known.hits += hits
    }
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The most frequent first, ties by code point. */
  sorted(): readonly Template[] {
    return [...this.#templates]
      .map(([pattern, { hits, sample }]) => ({ pattern, hits, sample }))
      .sort((a, b) => b.hits - a.hits || compareText(a.pattern, b.pattern))
  }
}
