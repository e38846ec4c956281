import type { StatsFunction } from '../definition.ts'
import { keepsFirst, PickState, takesLast, type Preference } from './pick-state.ts'

function edge(name: string, prefers: Preference, which: string): StatsFunction {
  return {
    name,
    aliases: [],
    signature: { params: [], minArgs: 1, maxArgs: 1 },
    returns: ([type]) => type,
    algebra: 'distributive',
    isOrderSensitive: true,
    accumulator: () =>
      new PickState(
        (values) => ({ key: null, values, names: [] }),
        prefers,
        (row) => row?.values[0] ?? null,
      ),
    doc: {
      summary: `The value of the ${which} row, missing or not.`,
      parameters: [{ name: 'field', text: 'field whose value is taken' }],
      examples: [{ query: `* | running_stats by (workload) ${name}(level) as seen` }],
    },
  }
}

export const first = edge('first', keepsFirst, 'first')
export const last = edge('last', takesLast, 'last')
