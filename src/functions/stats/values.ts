import type { JsonValue, Meter } from '../../base/index.ts'
import { valueBytes, type Value } from '../../data/index.ts'
import type { Accumulator, StatsFunction } from '../definition.ts'
import { jsonArray } from '../json-text.ts'
import { decodeValues, encodeValues } from './state-codec.ts'

class ValuesState implements Accumulator {
  readonly #values: Value[] = []
  readonly #limit: number
  readonly #meter: Meter

  constructor(limit: number | undefined, meter: Meter) {
    this.#limit = limit ?? Infinity
    this.#meter = meter
  }

  add(values: readonly Value[]): void {
    for (const value of values) {
      if (this.#values.length >= this.#limit) return
      this.#meter.charge(valueBytes(value))
      this.#values.push(value)
    }
  }

  merge(other: ValuesState): void {
    this.add(other.#values)
  }

  finish(): Value {
    return jsonArray(this.#values, this.#meter, 'values')
  }

  export(): JsonValue {
    return encodeValues(this.#values)
  }

  import(state: JsonValue): void {
    this.#values.length = 0
    this.add(decodeValues(state))
  }
}

export const values: StatsFunction = {
  name: 'values',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: Infinity },
  form: { takesLimit: true },
  returns: () => 'json',
  algebra: 'holistic',
  isOrderSensitive: true,
  accumulator: ({ limit, meter }) => new ValuesState(limit, meter),
  doc: {
    summary: 'All values in the order of the rows as a JSON array; a missing value is null.',
    parameters: [
      { name: 'field…', text: 'fields whose values are listed' },
      { name: 'limit N', text: 'only the first N values' },
    ],
    examples: [{ query: '* | stats by (trace_id) values(workload) limit 20 as path' }],
  },
}
