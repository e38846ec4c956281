import type { Meter } from '../../base/index.ts'
import type { MakeAccumulator, StatsFunction } from '../definition.ts'
import { keyed, PickState, takesGreater, takesLess, type Preference } from './pick-state.ts'

function fieldExtreme(name: string, which: string): StatsFunction {
  return {
    name,
    aliases: [],
    signature: { params: [], minArgs: 2, maxArgs: 2 },
    returns: ([, type = 'any']) => type,
    algebra: 'distributive',
    isOrderSensitive: true,
    doc: {
      summary: `The value of one field in the row where another is ${which}; of several such rows the first counts.`,
      parameters: [
        { name: 'key', text: 'field that is compared' },
        { name: 'field', text: 'field whose value is taken' },
      ],
      examples: [{ query: `* | stats ${name}(duration_ms, content) as text` }],
    },
  }
}

export const fieldMax = fieldExtreme('field_max', 'greatest')
export const fieldMin = fieldExtreme('field_min', 'least')

function pickField(meter: Meter, prefers: Preference): PickState {
  return new PickState(
    meter,
    (values) => keyed(values, []),
    prefers,
    (row) => row?.values[0] ?? null,
  )
}

export const fieldMaxAccumulator: MakeAccumulator = ({ meter }) => pickField(meter, takesGreater)
export const fieldMinAccumulator: MakeAccumulator = ({ meter }) => pickField(meter, takesLess)
