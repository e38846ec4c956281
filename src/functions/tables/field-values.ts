import type { Meter } from '../../base/index.ts'
import { compareGroupKeys, toText, type Row, type Value } from '../../data/index.ts'
import type { CompileTable, TableFunction, TableState } from '../definition.ts'
import { ValueCounts } from './counts.ts'

interface Params {
  readonly field: string
  /** Name of the output field with the number of rows. */
  readonly hits: string
  readonly containing: string | null
  /** Maximum number of values; 0 means unlimited. */
  readonly limit: number
}

class FieldValuesState implements TableState {
  readonly #counts: ValueCounts
  readonly #params: Params

  constructor(params: Params, meter: Meter) {
    this.#params = params
    this.#counts = new ValueCounts(meter)
  }

  add(row: Row): void {
    const { field, containing } = this.#params
    const value = row.get(field) ?? null
    if (containing === null || toText(value).includes(containing)) this.#counts.add(value)
  }

  *finish(): Iterable<Row> {
    const { field, hits: counted, limit } = this.#params
    const entries = this.#counts.entries().sort((a, b) => compareGroupKeys(a.value, b.value))
    for (const { value, hits } of limit === 0 ? entries : entries.slice(0, limit)) {
      yield new Map<string, Value>([
        [field, value],
        [counted, hits],
      ])
    }
  }
}

export const fieldValues: TableFunction = {
  name: 'field_values',
  fieldParams: ['field'],
  doc: {
    summary: 'The values of a field, and in how many rows each stands.',
    parameters: [
      { name: 'field', text: 'the field' },
      { name: 'filter', text: 'only values that contain this' },
      { name: 'limit', text: 'at most so many values' },
    ],
    examples: [{ query: '* | field_values level' }],
  },
}

export const compileFieldValues: CompileTable<Params> = (params, { meter }) => new FieldValuesState(params, meter)
