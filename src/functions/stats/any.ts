import { isEmptyValue } from '../../data/index.ts'
import type { MakeAccumulator, StatsFunction } from '../definition.ts'
import { keepsFirst, PickState } from './pick-state.ts'

export const any: StatsFunction = {
  name: 'any',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: 1 },
  returns: ([type = 'any']) => type,
  algebra: 'distributive',
  isOrderSensitive: true,
  doc: {
    summary: 'A value that is not empty: that of the first row which has one.',
    parameters: [{ name: 'field', text: 'field whose value is taken' }],
    examples: [{ query: '* | stats by (trace_id) any(workload) workload' }],
  },
}

export const anyAccumulator: MakeAccumulator = ({ meter }) =>
  new PickState(
    meter,
    (values) => (isEmptyValue(values[0] ?? null) ? undefined : { key: null, values, names: [] }),
    keepsFirst,
    (row) => row?.values[0] ?? null,
  )
