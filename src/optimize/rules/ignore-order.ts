import { inputs, mapInputs, propertiesOf, type LogicalPlan } from '../../plan/index.ts'
import { ignoresOrder } from '../order.ts'
import type { Rule } from '../rule.ts'
import { isWholeSort } from './remove-sort.ts'

/** Removes sorts from a plan, down to the first node that does not process its rows one by one. */
function unsorted(plan: LogicalPlan): LogicalPlan {
  if (plan.kind === 'sort' && isWholeSort(plan)) return unsorted(plan.input)
  const passes = plan.kind === 'union' || (propertiesOf(plan).isRowWise && inputs(plan).length > 0)
  return passes ? mapInputs(plan, unsorted) : plan
}

export const ignoreOrder: Rule = {
  name: 'ignore-order',
  summary: 'Below groups whose results do not depend on the order of rows, nothing is sorted.',
  examples: {
    changes: '* | sort by (duration_ms) | math duration_ms * 2 as twice | stats by (pod) sum(twice) as n',
    leaves: '* | sort by (duration_ms) | math duration_ms * 2 as twice | stats by (pod) values(twice) as n',
  },
  direction: 'down',
  apply: (plan, { functions }) => (ignoresOrder(plan, functions) ? mapInputs(plan, unsorted) : plan),
}
