import { inputs, mapInputs, propertiesOf, type LogicalPlan } from '../../plan/index.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { isWholeSort } from './remove-sort.ts'

/** Whether the answer is the same for any order of the rows. */
function seesNoOrder(plan: LogicalPlan, { functions }: RuleContext): boolean {
  if (plan.kind === 'distinct') return true
  return (
    plan.kind === 'aggregate' &&
    plan.aggregates.every(({ call }) => functions.stats.get(call.fn)?.isOrderSensitive === false)
  )
}

/** The same rows in any order: without sorts, as far as each stage works on its rows one by one. */
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
  apply: (plan, context) => (seesNoOrder(plan, context) ? mapInputs(plan, unsorted) : plan),
}
