import type { Meter } from '../../base/index.ts'
import type { Value } from '../../data/index.ts'
import type { FunctionDoc, MakeAccumulator, StatsFunction } from '../definition.ts'
import { asTextsName, jsonObject, type JsonForm } from '../json-text.ts'
import { keepsFirst, keyed, PickState, takesGreater, takesLess, type PickedRow } from './pick-state.ts'

/** Returns a row as JSON, with each name once. */
function rowJson(row: PickedRow | undefined, meter: Meter, maker: string, form: JsonForm): Value {
  return jsonObject(new Map(row?.names.map((name, i) => [name, row.values[i] ?? null])), meter, maker, form)
}

/**
 * Returns the definition of a function, and of its variant for the `logsql` dialect, which writes all values as
 * strings.
 */
function rowFunctions(name: string, minArgs: number, doc: FunctionDoc): readonly [StatsFunction, StatsFunction] {
  const typed: StatsFunction = {
    name,
    aliases: [],
    signature: { params: [], minArgs, maxArgs: Infinity },
    form: minArgs === 0 ? {} : { isAllByDefault: false },
    returns: () => 'json',
    algebra: 'distributive',
    isOrderSensitive: true,
    doc,
  }
  const summary = `As ${name}, but all values are texts, empty ones left out.`
  return [typed, { ...typed, name: asTextsName(name), doc: { ...doc, summary, examples: [] } }]
}

const fieldsParameter = { name: 'field…', text: 'fields of the object; all without any' }

export const [rowAny, rowAnyAsTexts] = rowFunctions('row_any', 0, {
  summary: 'The first row as a JSON object.',
  parameters: [fieldsParameter],
  examples: [{ query: '* | stats by (workload) row_any(_time, content) sample' }],
})

export const rowAnyAccumulator = (form: JsonForm): MakeAccumulator => {
  return ({ argNames, meter }) =>
    new PickState(
      meter,
      (values, names = argNames) => ({ key: null, values, names }),
      keepsFirst,
      (row) => rowJson(row, meter, 'row_any', form),
    )
}

function rowExtremes(name: string, which: string): readonly [StatsFunction, StatsFunction] {
  return rowFunctions(name, 1, {
    summary: `The row where a field is ${which}, as a JSON object; of several such rows the first.`,
    parameters: [{ name: 'key', text: 'field that is compared' }, fieldsParameter],
    examples: [{ query: `* | stats by (workload) ${name}(duration_ms, _time, content) as row` }],
  })
}

export const [rowMax, rowMaxAsTexts] = rowExtremes('row_max', 'greatest')
export const [rowMin, rowMinAsTexts] = rowExtremes('row_min', 'least')

/**
 * Returns an accumulator factory that stores the row with the greatest key for `row_max`, or the least key for
 * `row_min`.
 */
export const rowExtremeAccumulator = (name: 'row_max' | 'row_min', form: JsonForm): MakeAccumulator => {
  return ({ argNames, meter }) =>
    new PickState(
      meter,
      (values, names = argNames) => keyed(values, names),
      name === 'row_max' ? takesGreater : takesLess,
      (row) => rowJson(row, meter, name, form),
    )
}
