import type { JsonValue, Meter } from '../../base/index.ts'
import { groupTupleText, isEmptyValue, type Value } from '../../data/index.ts'
import type { Accumulator, MakeAccumulator, StatsFunction } from '../definition.ts'

/** Counts distinct tuples by storing their keys. */
class CountUniqState implements Accumulator {
  readonly #limit: number
  readonly #tuples = new Set<string>()
  readonly #meter: Meter

  constructor(limit: number | undefined, meter: Meter) {
    this.#limit = limit ?? Infinity
    this.#meter = meter
  }

  add(values: readonly Value[]): void {
    if (values.every(isEmptyValue)) return
    this.#keep(groupTupleText(values))
  }

  #keep(tuple: string): void {
    if (this.#tuples.size >= this.#limit || this.#tuples.has(tuple)) return
    this.#meter.charge(64 + tuple.length * 2)
    this.#tuples.add(tuple)
  }

  merge(other: CountUniqState): void {
    for (const tuple of other.#tuples) this.#keep(tuple)
  }

  finish(): Value {
    return this.#tuples.size
  }

  export(): JsonValue {
    return [...this.#tuples]
  }

  import(state: JsonValue): void {
    this.#tuples.clear()
    for (const tuple of state as readonly string[]) this.#keep(tuple)
  }
}

export const countUniq: StatsFunction = {
  name: 'count_uniq',
  aliases: ['count_distinct'],
  signature: { params: [], minArgs: 1, maxArgs: Infinity },
  form: { takesPatterns: false, takesLimit: true },
  returns: () => 'integer',
  algebra: 'algebraic',
  isOrderSensitive: false,
  kernel: 'distinct',
  doc: {
    summary: 'Counts the distinct values, or combinations of values, that are not all empty; exact.',
    parameters: [
      { name: 'field…', text: 'fields of a combination' },
      { name: 'limit N', text: 'stop counting at N' },
    ],
    examples: [{ query: '* | stats by (workload) count_uniq(trace_id) traces' }],
  },
}

export const countUniqAccumulator: MakeAccumulator = ({ limit, meter }) => new CountUniqState(limit, meter)

/**
 * The function `count_uniq_hash`. It is exact too: an approximation by hashes would save memory but give other results.
 */
export const countUniqHash: StatsFunction = {
  ...countUniq,
  name: 'count_uniq_hash',
  aliases: [],
  doc: {
    summary: 'As count_uniq.',
    parameters: countUniq.doc.parameters,
    examples: [{ query: '* | stats count_uniq_hash(pod) pods' }],
  },
}
