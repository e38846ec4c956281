import { warnings } from '../annotation.ts'
import { FLOAT, setFloat } from '../columns.ts'
import type { AggregationCall } from '../definition.ts'
import { quantileOfSorted, sortNaNFirst } from '../quantile.ts'
import { groupAggregation, mentionIgnored } from './group-columns.ts'

/** The scalar parameter of an aggregation. */
export function scalarParam(call: AggregationCall): Float64Array {
  return call.param instanceof Float64Array ? call.param : new Float64Array(call.steps.count)
}

export const quantileAggregation = groupAggregation('quantile', (group, out, call) => {
  mentionIgnored(group, 'quantile', call)
  const phis = scalarParam(call)
  const values = new Float64Array(group.members.length)
  for (let step = 0; step < phis.length; step++) {
    let size = 0
    for (const member of group.members) if (member.kinds[step] === FLOAT) values[size++] = member.values[step]
    if (size === 0) continue
    const phi = phis[step]
    if (!(phi >= 0 && phi <= 1)) {
      call.annotate({ severity: 'warning', text: warnings.quantile(phi), origin: call.paramOrigin })
    }
    const window = values.subarray(0, size)
    sortNaNFirst(window)
    setFloat(out, step, quantileOfSorted(phi, window, size))
  }
})
