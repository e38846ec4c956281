import { isEmptyValue } from '../../data/index.ts'
import type { MakeAccumulator, StatsFunction } from '../definition.ts'
import { CountState } from './count-state.ts'

export const count: StatsFunction = {
  name: 'count',
  aliases: [],
  signature: { params: [], minArgs: 0, maxArgs: Infinity },
  returns: () => 'integer',
  algebra: 'distributive',
  combinedBy: 'sum',
  isOrderSensitive: false,
  kernel: 'present',
  doc: {
    summary: 'Counts the rows; with fields, the rows where at least one of them is not empty.',
    parameters: [{ name: 'field…', text: 'fields to look at' }],
    examples: [
      { query: '* | stats by (level) count() n' },
      { query: '* | stats count(trace_id) traced, count() total' },
    ],
  },
}

export const countAccumulator: MakeAccumulator = ({ argNames }) =>
  new CountState(argNames.length === 0 ? () => true : (values) => values.some((value) => !isEmptyValue(value)))
