import type { MakeAccumulator, StatsCall, StatsFunction } from '../definition.ts'
import { CountState } from './count-state.ts'
import { sumOrNaN, SumState } from './sum-state.ts'

/** Returns the number of seconds by which to divide; 1 if the range has an open end. */
function secondsOf(call: StatsCall): number {
  return call.context.rangeSeconds ?? 1
}

class RateState extends CountState {
  readonly #seconds: number

  constructor(seconds: number) {
    super(() => true)
    this.#seconds = seconds
  }

  override finish(): number {
    return Number(super.finish()) / this.#seconds
  }
}

export const rate: StatsFunction = {
  name: 'rate',
  aliases: [],
  signature: { params: [], minArgs: 0, maxArgs: 0 },
  returns: () => 'number',
  algebra: 'algebraic',
  isOrderSensitive: false,
  dependsOnTime: true,
  kernel: 'rows-per-second',
  doc: {
    summary: 'Rows per second of the query’s time range, or of the time bucket.',
    parameters: [],
    examples: [{ query: '_time:5m | stats by (workload) rate() per_second' }],
  },
}

export const rateAccumulator: MakeAccumulator = (call) => new RateState(secondsOf(call))

export const rateSum: StatsFunction = {
  name: 'rate_sum',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: Infinity },
  returns: () => 'number',
  algebra: 'algebraic',
  isOrderSensitive: false,
  dependsOnTime: true,
  doc: {
    summary: 'The sum of the numeric values per second of the query’s time range, or of the time bucket.',
    parameters: [{ name: 'field…', text: 'fields whose values are added' }],
    examples: [{ query: '_time:5m | stats rate_sum(duration_ms) busy_per_second' }],
  },
}

export const rateSumAccumulator: MakeAccumulator = (call) => {
  const seconds = secondsOf(call)
  return new SumState((state) => (seconds === 1 ? sumOrNaN(state) : Number(sumOrNaN(state)) / seconds))
}
