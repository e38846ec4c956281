import type { JsonValue, Meter } from '../../base/index.ts'
import { toNumber, type Value, valueBytes } from '../../data/index.ts'
import type { Accumulator, MakeAccumulator, StatsCall, StatsFunction } from '../definition.ts'
import { decodeValues, encodeValues } from './state-codec.ts'

/** Stores the values of the first or last rows, as many as the offset requires. */
class EdgeState implements Accumulator {
  /** Stored values, from index `#head` on. The entries before it are released. */
  #values: Value[] = []
  #head = 0
  readonly #end: 'first' | 'last'
  readonly #offset: number

  readonly #meter: Meter

  constructor(end: 'first' | 'last', offset: number, meter: Meter) {
    this.#meter = meter
    this.#end = end
    this.#offset = offset
  }

  add([value = null]: readonly Value[]): void {
    if (this.#values.length - this.#head > this.#offset) {
      if (this.#end === 'first') return
      this.#dropOldest()
    }
    this.#meter.charge(valueBytes(value))
    this.#values.push(value)
  }

  /**
   * Releases the oldest value. The array is compacted only now and then, because shifting it for each row takes
   * quadratic time.
   */
  #dropOldest(): void {
    this.#meter.charge(-valueBytes(this.#values[this.#head] ?? null))
    this.#values[this.#head++] = null
    if (this.#head <= this.#values.length >> 1) return
    this.#values = this.#kept()
    this.#head = 0
  }

  #kept(): Value[] {
    return this.#values.slice(this.#head)
  }

  merge(other: EdgeState): void {
    for (const value of other.#kept()) this.add([value])
  }

  finish(): Value {
    if (this.#values.length - this.#head <= this.#offset) return null
    return this.#values[this.#end === 'first' ? this.#offset : this.#head] ?? null
  }

  export(): JsonValue {
    return encodeValues(this.#kept())
  }

  import(state: JsonValue): void {
    this.#values = []
    this.#head = 0
    for (const value of decodeValues(state)) this.add([value])
  }
}

function offsetOf({ params: [offset = 0] }: StatsCall): number {
  return Number(toNumber(offset) ?? 0)
}

function edge(name: 'first' | 'last', direction: string): StatsFunction {
  return {
    name,
    aliases: [],
    signature: { params: [{ name: 'offset', type: 'integer', isOptional: true }], minArgs: 1, maxArgs: 1 },
    form: { isRunningOnly: true },
    returns: ([type = 'any']) => type,
    algebra: 'distributive',
    isOrderSensitive: true,
    doc: {
      summary: `The value of the ${name} row, missing or not; with an offset, of a row ${direction} it.`,
      parameters: [
        { name: 'field', text: 'field whose value is taken' },
        { name: 'offset N', text: `so many rows ${direction} the ${name} one` },
      ],
      examples: [{ query: `* | running_stats by (workload) ${name}(level) as seen | limit 3` }],
    },
  }
}

export const first = edge('first', 'behind')
export const last = edge('last', 'before')

export const firstAccumulator: MakeAccumulator = (call) => new EdgeState('first', offsetOf(call), call.meter)
export const lastAccumulator: MakeAccumulator = (call) => new EdgeState('last', offsetOf(call), call.meter)
