import { Labels, METRIC_NAME } from '../../data/index.ts'
import type { SeriesPlan } from '../../plan/series/index.ts'
import { ABSENT, FLOAT, newColumn } from './columns.ts'
import type { SeriesCallContext, SeriesFunction, VectorValue } from './definition.ts'
import { matrixArg, vector, vectorArg } from './values.ts'

/** Returns the labels, with values, that a selector tests by a single matcher, an equality. Omits the metric name. */
function labelsLookedFor(plan: SeriesPlan): Labels {
  const select = plan.kind === 'series-range' ? plan.select : plan
  if (select.kind !== 'series-select' && select.kind !== 'series-logs') return Labels.empty
  const tested = new Set<string>()
  let labels = Labels.empty
  for (const { label, op, value } of select.matchers) {
    if (label === METRIC_NAME) continue
    labels = op === '=' && !tested.has(label) ? labels.with(label, value) : labels.without([label])
    tested.add(label)
  }
  return labels
}

function oneWhereMissing(isPresent: Uint8Array, call: SeriesCallContext): VectorValue {
  const column = newColumn(labelsLookedFor(call.argPlans[0]), false, call.steps.count)
  for (let step = 0; step < isPresent.length; step++) {
    if (isPresent[step] !== 0) continue
    column.values[step] = 1
    column.kinds[step] = FLOAT
  }
  return vector([column])
}

const absent: SeriesFunction = {
  name: 'absent',
  readsPresenceOnly: true,
  readsMatchers: true,
  evaluate: (args, call) => {
    const isPresent = new Uint8Array(call.steps.count)
    for (const { kinds } of vectorArg(args, 0).series) {
      for (let step = 0; step < kinds.length; step++) if (kinds[step] !== ABSENT) isPresent[step] = 1
    }
    return oneWhereMissing(isPresent, call)
  },
}

const absentOverTime: SeriesFunction = {
  name: 'absent_over_time',
  readsPresenceOnly: true,
  readsMatchers: true,
  evaluate: (args, call) => {
    const isPresent = new Uint8Array(call.steps.count)
    for (const { from, to } of matrixArg(args, 0).series) {
      for (let step = 0; step < from.length; step++) if (to[step] > from[step]) isPresent[step] = 1
    }
    return oneWhereMissing(isPresent, call)
  },
}

export const absentFunctions: readonly SeriesFunction[] = [absent, absentOverTime]
