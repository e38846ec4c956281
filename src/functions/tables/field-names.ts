import type { Meter } from '../../base/index.ts'
import { compareText, isEmptyValue, type Row } from '../../data/index.ts'
import type { CompileTable, TableFunction, TableState } from '../definition.ts'

interface Params {
  readonly into: string
  /** Name of the output field with the number of rows. */
  readonly hits: string
  readonly containing: string | null
}

class FieldNamesState implements TableState {
  readonly #hits = new Map<string, number>()
  readonly #params: Params

  readonly #meter: Meter

  constructor(params: Params, meter: Meter) {
    this.#params = params
    this.#meter = meter
  }

  add(row: Row): void {
    for (const [name, value] of row) {
      if (isEmptyValue(value)) continue
      const known = this.#hits.get(name)
      if (known === undefined) this.#meter.charge(96)
      this.#hits.set(name, (known ?? 0) + 1)
    }
  }

  *finish(): Iterable<Row> {
    const { into, hits: counted, containing } = this.#params
    for (const name of [...this.#hits.keys()].sort(compareText)) {
      if (containing !== null && !name.includes(containing)) continue
      yield new Map<string, string | number>([
        [into, name],
        [counted, this.#hits.get(name) ?? 0],
      ])
    }
  }
}

export const fieldNames: TableFunction = {
  name: 'field_names',
  doc: {
    summary: 'The names of all fields, and in how many rows each has a value.',
    parameters: [
      { name: 'as', text: 'field that gets the name' },
      { name: 'filter', text: 'only names that contain this' },
    ],
    examples: [{ query: '* | field_names' }],
  },
}

export const compileFieldNames: CompileTable<Params> = (params, { meter }) => new FieldNamesState(params, meter)
