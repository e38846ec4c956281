import type { MakeAccumulator, StatsFunction } from '../definition.ts'
import { meanOrNaN, SumState } from './sum-state.ts'

export const avg: StatsFunction = {
  name: 'avg',
  aliases: ['mean'],
  signature: { params: [], minArgs: 1, maxArgs: Infinity },
  returns: () => 'number',
  algebra: 'algebraic',
  isOrderSensitive: false,
  kernel: 'mean',
  doc: {
    summary: 'The mean of the numeric values; NaN when there are none.',
    parameters: [{ name: 'field…', text: 'fields whose values are averaged' }],
    examples: [{ query: '* | stats by (workload) avg(duration_ms) mean_ms' }],
  },
}

export const avgAccumulator: MakeAccumulator = () => new SumState(meanOrNaN)
