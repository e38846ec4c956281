import { collapseNumbersPretty, compareText, toText, type Row } from '../../data/index.ts'
import type { TableState } from '../definition.ts'
import { defineTableFunction } from './define.ts'

interface Params {
  readonly field: string
  readonly limit: number
}

class PatternsState implements TableState {
  readonly #patterns = new Map<string, { hits: number; readonly sample: string }>()
  readonly #params: Params
  #bytes = 64

  constructor(params: Params) {
    this.#params = params
  }

  add(row: Row): void {
    const text = toText(row.get(this.#params.field) ?? null)
    if (text === '') return
    const pattern = collapseNumbersPretty(text)
    const known = this.#patterns.get(pattern)
    if (known === undefined) {
      this.#patterns.set(pattern, { hits: 1, sample: text })
      this.#bytes += 96 + (pattern.length + text.length) * 2
    } else {
      known.hits++
    }
  }

  bytes(): number {
    return this.#bytes
  }

  *finish(): Iterable<Row> {
    const sorted = [...this.#patterns].sort(([a, x], [b, y]) => y.hits - x.hits || compareText(a, b))
    for (const [pattern, { hits, sample }] of sorted.slice(0, this.#params.limit)) {
      yield new Map<string, string | number>([
        ['pattern', pattern],
        ['hits', hits],
        ['sample', sample],
      ])
    }
  }
}

export const patterns = defineTableFunction<Params>({
  name: 'patterns',
  fieldParams: ['field'],
  compile: (params) => new PatternsState(params),
  doc: {
    summary: 'The most frequent templates of a text, numbers and ids folded, each with its first text.',
    parameters: [
      { name: 'N', text: 'how many templates' },
      { name: 'field', text: 'the text' },
    ],
    examples: [{ query: 'level:error | patterns 5' }],
  },
})
