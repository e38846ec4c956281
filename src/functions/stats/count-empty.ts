import { isEmptyValue } from '../../data/index.ts'
import type { MakeAccumulator, StatsFunction } from '../definition.ts'
import { CountState } from './count-state.ts'

export const countEmpty: StatsFunction = {
  name: 'count_empty',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: Infinity },
  returns: () => 'integer',
  algebra: 'distributive',
  isOrderSensitive: false,
  kernel: 'empty',
  doc: {
    summary: 'Counts the rows where all of the fields are missing or empty.',
    parameters: [{ name: 'field…', text: 'fields to look at' }],
    examples: [{ query: '* | stats count_empty(trace_id) untraced' }],
  },
}

export const countEmptyAccumulator: MakeAccumulator = () => new CountState((values) => values.every(isEmptyValue))
