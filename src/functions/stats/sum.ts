import type { MakeAccumulator, StatsFunction } from '../definition.ts'
import { sumOrNaN, SumState } from './sum-state.ts'

export const sum: StatsFunction = {
  name: 'sum',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: Infinity },
  returns: () => 'number',
  algebra: 'distributive',
  isOrderSensitive: false,
  kernel: 'sum',
  doc: {
    summary:
      'Adds up the numeric values: integers exactly, floats rounded once at the end, whatever their order; NaN when there are none.',
    parameters: [{ name: 'field…', text: 'fields whose values are added' }],
    examples: [{ query: '* | stats by (workload) sum(duration_ms) busy_ms' }],
  },
}

export const sumAccumulator: MakeAccumulator = () => new SumState(sumOrNaN)
