import type { JsonValue } from '../../base/index.ts'
import { toText, utf8Length, type Value } from '../../data/index.ts'
import type { Accumulator, MakeAccumulator, StatsFunction } from '../definition.ts'

class SumLenState implements Accumulator {
  #bytes = 0

  add(values: readonly Value[]): void {
    for (const value of values) this.#bytes += utf8Length(toText(value))
  }

  merge(other: SumLenState): void {
    this.#bytes += other.#bytes
  }

  finish(): Value {
    return this.#bytes
  }

  export(): JsonValue {
    return this.#bytes
  }

  import(state: JsonValue): void {
    this.#bytes = Number(state)
  }
}

export const sumLen: StatsFunction = {
  name: 'sum_len',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: Infinity },
  returns: () => 'integer',
  algebra: 'distributive',
  combinedBy: 'sum',
  isOrderSensitive: false,
  kernel: 'text-bytes',
  doc: {
    summary: 'The bytes that the values take as UTF-8 text, added up.',
    parameters: [{ name: 'field…', text: 'fields whose texts are measured' }],
    examples: [{ query: '* | stats by (workload) sum_len(content) text_bytes' }],
  },
}

export const sumLenAccumulator: MakeAccumulator = () => new SumLenState()
