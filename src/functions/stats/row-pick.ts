import type { Meter } from '../../base/index.ts'
import type { Value } from '../../data/index.ts'
import type { StatsCall, StatsFunction } from '../definition.ts'
import { jsonObject } from '../json-text.ts'
import { keepsFirst, keyed, PickState, takesGreater, takesLess, type PickedRow, type Preference } from './pick-state.ts'

/** The row as JSON, each name once. */
function rowJson(row: PickedRow | undefined, meter: Meter, maker: string): Value {
  return jsonObject(new Map(row?.names.map((name, i) => [name, row.values[i] ?? null])), meter, maker)
}

function rowFunction(
  name: string,
  minArgs: number,
  accumulator: (call: StatsCall) => PickState,
  doc: StatsFunction['doc'],
): StatsFunction {
  return {
    name,
    aliases: [],
    signature: { params: [], minArgs, maxArgs: Infinity },
    form: minArgs === 0 ? {} : { isAllByDefault: false },
    returns: () => 'json',
    algebra: 'distributive',
    isOrderSensitive: true,
    accumulator,
    doc,
  }
}

const fieldsParameter = { name: 'field…', text: 'fields of the object; all without any' }

export const rowAny = rowFunction(
  'row_any',
  0,
  ({ argNames, meter }) =>
    new PickState(
      meter,
      (values, names = argNames) => ({ key: null, values, names }),
      keepsFirst,
      (row) => rowJson(row, meter, 'row_any'),
    ),
  {
    summary: 'The first row as a JSON object.',
    parameters: [fieldsParameter],
    examples: [{ query: '* | stats by (workload) row_any(_time, content) sample' }],
  },
)

function rowExtreme(name: string, prefers: Preference, which: string): StatsFunction {
  return rowFunction(
    name,
    1,
    ({ argNames, meter }) =>
      new PickState(
        meter,
        (values, names = argNames) => keyed(values, names),
        prefers,
        (row) => rowJson(row, meter, name),
      ),
    {
      summary: `The row where a field is ${which}, as a JSON object; of several such rows the first.`,
      parameters: [{ name: 'key', text: 'field that is compared' }, fieldsParameter],
      examples: [{ query: `* | stats by (workload) ${name}(duration_ms, _time, content) as row` }],
    },
  )
}

export const rowMax = rowExtreme('row_max', takesGreater, 'greatest')
export const rowMin = rowExtreme('row_min', takesLess, 'least')
