import type { JsonValue } from '../../base/index.ts'
import { valueBytes, type Value } from '../../data/index.ts'
import type { Accumulator, StatsFunction } from '../definition.ts'
import { jsonArray } from '../json-text.ts'
import { decodeValues, encodeValues } from './state-codec.ts'

class ValuesState implements Accumulator {
  readonly #values: Value[] = []
  readonly #limit: number
  #bytes = 0

  constructor(limit: number | undefined) {
    this.#limit = limit ?? Infinity
  }

  add(values: readonly Value[]): void {
    for (const value of values) {
      if (this.#values.length >= this.#limit) return
      this.#values.push(value)
      this.#bytes += valueBytes(value)
    }
  }

  merge(other: ValuesState): void {
    this.add(other.#values)
  }

  finish(): Value {
    return jsonArray(this.#values)
  }

  bytes(): number {
    return 64 + this.#bytes
  }

  export(): JsonValue {
    return encodeValues(this.#values)
  }

  import(state: JsonValue): void {
    this.#values.length = 0
    this.#bytes = 0
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
  accumulator: ({ limit }) => new ValuesState(limit),
  doc: {
    summary: 'All values in the order of the rows as a JSON array; a missing value is null.',
    parameters: [
      { name: 'field…', text: 'fields whose values are listed' },
      { name: 'limit N', text: 'only the first N values' },
    ],
    examples: [{ query: '* | stats by (trace_id) values(workload) limit 20 as path' }],
  },
}
