import type { JsonValue, Meter } from '../../base/index.ts'
import { valueBytes, type Value } from '../../data/index.ts'
import type { Accumulator, MakeAccumulator, StatsFunction } from '../definition.ts'
import { asTextsName, jsonArray, textJson, typedJson, type JsonForm } from '../json-text.ts'
import { decodeValues, encodeValues } from './state-codec.ts'

class ValuesState implements Accumulator {
  readonly #values: Value[] = []
  readonly #limit: number
  readonly #meter: Meter
  readonly #form: JsonForm

  constructor(limit: number | undefined, meter: Meter, form: JsonForm) {
    this.#limit = limit ?? Infinity
    this.#meter = meter
    this.#form = form
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
    return jsonArray(this.#values, this.#meter, 'values', this.#form)
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
  doc: {
    summary: 'All values in the order of the rows as a JSON array; a missing value is null.',
    parameters: [
      { name: 'field…', text: 'fields whose values are listed' },
      { name: 'limit N', text: 'only the first N values' },
    ],
    examples: [{ query: '* | stats by (trace_id) values(workload) limit 20 as path' }],
  },
}

export const valuesAccumulator: MakeAccumulator = ({ limit, meter }) => new ValuesState(limit, meter, typedJson)

/** Variant for the `logsql` dialect, in which all values are strings. */
export const valuesAsTexts: StatsFunction = {
  ...values,
  name: asTextsName('values'),
  doc: { ...values.doc, summary: 'As values, but all are texts, missing ones empty.', examples: [] },
}

export const valuesAsTextsAccumulator: MakeAccumulator = ({ limit, meter }) => new ValuesState(limit, meter, textJson)
