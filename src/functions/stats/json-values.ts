import type { JsonValue } from '../../base/index.ts'
import { compareSortKey, type Value, valueBytes } from '../../data/index.ts'
import type { Accumulator, MakeAccumulator, StatsCall, StatsFunction } from '../definition.ts'
import { asTextsName, jsonObject, rawArray, textJson, typedJson, type JsonForm } from '../json-text.ts'
import { decodeValues, encodeValues } from './state-codec.ts'

interface Item {
  readonly json: string
  readonly keys: readonly Value[]
}

class JsonValuesState implements Accumulator {
  readonly #items: Item[] = []
  readonly #call: StatsCall
  readonly #form: JsonForm

  constructor(call: StatsCall, form: JsonForm) {
    this.#call = call
    this.#form = form
  }

  add(values: readonly Value[], names: readonly string[] = this.#call.argNames): void {
    if (this.#isFull()) return
    const keyCount = this.#call.orderDirections.length
    const fields = new Map(names.map((name, i) => [name, values[i] ?? null]))
    this.#keep({
      json: jsonObject(fields, this.#call.meter, 'json_values', this.#form).json,
      keys: values.slice(values.length - keyCount),
    })
  }

  /** True if no further row can change the list. */
  #isFull(): boolean {
    const { orderDirections, limit = Infinity } = this.#call
    return orderDirections.length === 0 && this.#items.length >= limit
  }

  #keep(item: Item): void {
    if (this.#isFull()) return
    this.#call.meter.charge(
      48 + item.json.length * 2 + item.keys.reduce<number>((sum, key) => sum + valueBytes(key), 0),
    )
    this.#items.push(item)
  }

  merge(other: JsonValuesState): void {
    for (const item of other.#items) this.#keep(item)
  }

  finish(): Value {
    const { orderDirections, limit } = this.#call
    const items = this.#items.toSorted((a, b) => {
      for (const [i, direction] of orderDirections.entries()) {
        const order = compareSortKey(a.keys[i] ?? null, b.keys[i] ?? null, direction)
        if (order !== 0) return order
      }
      return 0
    })
    return rawArray(items.slice(0, limit), ({ json }) => json, this.#call.meter, 'json_values')
  }

  export(): JsonValue {
    return this.#items.map((item) => ({ json: item.json, keys: encodeValues(item.keys) }))
  }

  import(state: JsonValue): void {
    this.#items.length = 0
    for (const item of state as readonly { readonly json: string; readonly keys: JsonValue }[]) {
      this.#keep({ json: item.json, keys: decodeValues(item.keys) })
    }
  }
}

export const jsonValues: StatsFunction = {
  name: 'json_values',
  aliases: [],
  signature: { params: [], minArgs: 0, maxArgs: Infinity },
  form: { takesLimit: true, takesOrder: true },
  returns: () => 'json',
  algebra: 'holistic',
  isOrderSensitive: true,
  doc: {
    summary: 'The rows as a JSON array of objects.',
    parameters: [
      { name: 'field…', text: 'fields of the objects; all without any' },
      { name: 'sort by (…)', text: 'order of the rows' },
      { name: 'limit N', text: 'only the first N rows' },
    ],
    examples: [{ query: '* | stats by (workload) json_values(_time, content) sort by (_time desc) limit 3 as latest' }],
  },
}

export const jsonValuesAccumulator: MakeAccumulator = (call) => new JsonValuesState(call, typedJson)

/** Variant for the `logsql` dialect, in which all values are strings. */
export const jsonValuesAsTexts: StatsFunction = {
  ...jsonValues,
  name: asTextsName('json_values'),
  doc: { ...jsonValues.doc, summary: 'As json_values, but all values are texts, empty ones left out.', examples: [] },
}

export const jsonValuesAsTextsAccumulator: MakeAccumulator = (call) => new JsonValuesState(call, textJson)
