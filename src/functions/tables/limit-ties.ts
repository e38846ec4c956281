import type { Meter } from '../../base/index.ts'
import { groupTupleText, rowBytes, type Row } from '../../data/index.ts'
import type { CompileTable, TableFunction, TableState } from '../definition.ts'

interface Params {
  readonly offset: number
  readonly limit: number
  readonly keys: readonly string[]
}

class LimitTiesState implements TableState {
  readonly #rows: Row[] = []
  readonly #params: Params
  #seen = 0
  #last = ''
  #isClosed = false
  readonly #meter: Meter

  constructor(params: Params, meter: Meter) {
    this.#meter = meter
    this.#params = params
    this.#isClosed = params.limit === 0
  }

  add(row: Row): void {
    if (this.#isClosed || this.#seen++ < this.#params.offset) return
    const { keys, limit } = this.#params
    const key = groupTupleText(keys.map((name) => row.get(name) ?? null))
    if (this.#rows.length >= limit && key !== this.#last) {
      this.#isClosed = true
      return
    }
    this.#last = key
    this.#meter.charge(rowBytes(row))
    this.#rows.push(row)
  }

  finish(): Iterable<Row> {
    return this.#rows
  }
}

export const limitTies: TableFunction = {
  name: 'limit_ties',
  fieldParams: ['keys'],
  doc: {
    summary: 'The first rows, and all further ones that are equal to the last of them in some fields.',
    parameters: [
      { name: 'offset, limit', text: 'which rows at least' },
      { name: 'keys', text: 'fields that make a tie' },
    ],
    examples: [{ query: '* | stats by (workload) count() n | sort by (n desc) limit 2 with ties' }],
  },
}

export const compileLimitTies: CompileTable<Params> = (params, { meter }) => new LimitTiesState(params, meter)
