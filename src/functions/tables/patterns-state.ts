import type { Meter } from '../../base/index.ts'
import { collapseNumbersPretty, toText, type Row } from '../../data/index.ts'
import type { CompileTable, TableState } from '../definition.ts'
import { TEMPLATE_BYTES, mostFrequent } from '../text/templates.ts'

interface Params {
  readonly field: string
  readonly limit: number
}

class PatternsState implements TableState {
  /** Counts by template. `sample` is the first string that gave the template. */
  readonly #templates = new Map<string, { readonly pattern: string; hits: number; readonly sample: string }>()
  readonly #params: Params
  readonly #meter: Meter

  constructor(params: Params, meter: Meter) {
    this.#params = params
    this.#meter = meter
  }

  add(row: Row): void {
    const sample = toText(row.get(this.#params.field) ?? null)
    if (sample === '') return
    const pattern = collapseNumbersPretty(sample)
    const known = this.#templates.get(pattern)
    if (known !== undefined) {
      known.hits++
      return
    }
    this.#meter.charge(TEMPLATE_BYTES + (pattern.length + sample.length) * 2)
    this.#templates.set(pattern, { pattern, hits: 1, sample })
  }

  *finish(): Generator<Row> {
    for (const { pattern, hits, sample } of mostFrequent(this.#templates.values(), this.#params.limit)) {
      yield new Map<string, string | number>([
        ['pattern', pattern],
        ['hits', hits],
        ['sample', sample],
      ])
    }
  }
}

export const compilePatterns: CompileTable<Params> = (params, { meter }) => new PatternsState(params, meter)
