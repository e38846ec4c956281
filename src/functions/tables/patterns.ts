import type { Meter } from '../../base/index.ts'
import { toText, type Row } from '../../data/index.ts'
import type { CompileTable, TableFunction, TableState } from '../definition.ts'
import { TemplateCounts } from '../text/templates.ts'

interface Params {
  readonly field: string
  readonly limit: number
}

class PatternsState implements TableState {
  readonly #templates: TemplateCounts
  readonly #params: Params

  constructor(params: Params, meter: Meter) {
    this.#params = params
    this.#templates = new TemplateCounts(meter)
  }

  add(row: Row): void {
    this.#templates.add(toText(row.get(this.#params.field) ?? null))
  }

  *finish(): Generator<Row> {
    const sorted = this.#templates.sorted()
    for (const { pattern, hits, sample } of sorted.slice(0, this.#params.limit)) {
      yield new Map<string, string | number>([
        ['pattern', pattern],
        ['hits', hits],
        ['sample', sample],
      ])
    }
  }
}

export const patterns: TableFunction = {
  name: 'patterns',
  fieldParams: ['field'],
  doc: {
    summary: 'The most frequent templates of a text, numbers and ids folded, each with its first text.',
    parameters: [
      { name: 'N', text: 'how many templates' },
      { name: 'field', text: 'the text' },
    ],
    examples: [{ query: 'level:error | patterns 5' }],
  },
}

export const compilePatterns: CompileTable<Params> = (params, { meter }) => new PatternsState(params, meter)
