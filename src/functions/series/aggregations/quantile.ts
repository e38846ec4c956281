import { warnings, type Annotation } from '../annotation.ts'
import { FLOAT, setFloat } from '../columns.ts'
import type { AggregationCall, SeriesAggregation } from '../definition.ts'
import { quantileOfSorted, sortNaNFirst } from '../quantile.ts'
import { groupAggregation, mentionIgnored } from './group-columns.ts'

/** Returns the scalar parameter of an aggregation for each step. */
export function scalarParam(call: AggregationCall): Float64Array {
  return call.param instanceof Float64Array ? call.param : new Float64Array(call.steps.count)
}

/** Warns of the smallest and the largest parameter outside the limits, even if there is nothing to aggregate. */
export function warnOutside(
  params: Float64Array,
  least: number,
  greatest: number,
  text: (got: number) => string,
  call: AggregationCall,
): void {
  let min = Infinity
  let max = -Infinity
  let hasNaN = false
  for (const param of params) {
    if (param !== param) hasNaN = true
    if (param < min) min = param
    if (param > max) max = param
  }
  const warn = (got: number): Annotation => ({ severity: 'warning', text: text(got), origin: call.paramOrigin })
  if (hasNaN) call.annotate(warn(NaN))
  if (max > greatest) call.annotate(warn(max))
  if (min < least) call.annotate(warn(min))
}

const quantiles = groupAggregation('quantile', (group, out, call) => {
  mentionIgnored(group, 'quantile', call)
  const phis = scalarParam(call)
  const values = new Float64Array(group.members.length)
  for (let step = 0; step < phis.length; step++) {
    let size = 0
    for (const member of group.members) if (member.kinds[step] === FLOAT) values[size++] = member.values[step]
    if (size === 0) continue
    const window = values.subarray(0, size)
    sortNaNFirst(window)
    setFloat(out, step, quantileOfSorted(phis[step], window, size))
  }
})

export const quantileAggregation: SeriesAggregation = {
  ...quantiles,
  evaluate: (groups, call) => {
    warnOutside(scalarParam(call), 0, 1, warnings.quantile, call)
    return quantiles.evaluate(groups, call)
  },
}
