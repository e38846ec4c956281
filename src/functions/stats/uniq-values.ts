import { firstBy, type JsonValue, type Meter } from '../../base/index.ts'
import { compareGroupKeys, groupKeyText, isEmptyValue, toText, type Value, valueBytes } from '../../data/index.ts'
import type { Accumulator, MakeAccumulator, StatsFunction } from '../definition.ts'
import { asTextsName, jsonArray } from '../json-text.ts'
import { decodeValues, encodeValues } from './state-codec.ts'

class UniqValuesState implements Accumulator {
  readonly #values = new Map<string, Value>()
  readonly #limit: number | undefined
  readonly #meter: Meter
  readonly #areTexts: boolean

  constructor(limit: number | undefined, meter: Meter, areTexts: boolean) {
    this.#limit = limit
    this.#meter = meter
    this.#areTexts = areTexts
  }

  add(values: readonly Value[]): void {
    for (const given of values) {
      if (isEmptyValue(given)) continue
      const value = this.#areTexts ? toText(given) : given
      const key = groupKeyText(value)
      if (this.#values.has(key)) continue
      this.#meter.charge(48 + 2 * valueBytes(value))
      this.#values.set(key, value)
    }
  }

  merge(other: UniqValuesState): void {
    this.add([...other.#values.values()])
  }

  finish(): Value {
    const listed = firstBy(this.#values.values(), compareGroupKeys, this.#limit ?? Infinity)
    return jsonArray(listed, this.#meter, 'uniq_values')
  }

  export(): JsonValue {
    return encodeValues([...this.#values.values()])
  }

  import(state: JsonValue): void {
    this.#values.clear()
    this.add(decodeValues(state))
  }
}

export const uniqValues: StatsFunction = {
  name: 'uniq_values',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: Infinity },
  form: { takesLimit: true },
  returns: () => 'json',
  algebra: 'algebraic',
  isOrderSensitive: false,
  doc: {
    summary: 'The distinct non-empty values, sorted, as a JSON array.',
    parameters: [
      { name: 'field…', text: 'fields whose values are listed' },
      { name: 'limit N', text: 'only the first N values in order' },
    ],
    examples: [{ query: '* | stats by (workload) uniq_values(level) levels' }],
  },
}

export const uniqValuesAccumulator: MakeAccumulator = ({ limit, meter }) => new UniqValuesState(limit, meter, false)

/** Variant for the `logsql` dialect, in which all values are strings. */
export const uniqValuesAsTexts: StatsFunction = {
  ...uniqValues,
  name: asTextsName('uniq_values'),
  doc: { ...uniqValues.doc, summary: 'As uniq_values, but by their texts, and all are texts.', examples: [] },
}

export const uniqValuesAsTextsAccumulator: MakeAccumulator = ({ limit, meter }) =>
  new UniqValuesState(limit, meter, true)
