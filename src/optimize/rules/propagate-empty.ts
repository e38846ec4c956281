import { derived } from '../../base/index.ts'
import { holdsNothing } from '../../analyze/index.ts'
import { isSameSchema } from '../../data/index.ts'
import { maxRows, schemaOf, type LogicalPlan, type Values } from '../../plan/index.ts'
import { isFalse } from '../conjuncts.ts'
import type { Rule } from '../rule.ts'

function isEmpty(plan: LogicalPlan): boolean {
  return plan.kind === 'values' && plan.rows.length === 0
}

function nothing(plan: LogicalPlan): Values {
  return {
    kind: 'values',
    outputSchema: schemaOf(plan),
    rows: [],
    origin: derived('propagate-empty', [plan.origin]),
  }
}

/** True if the plan certainly returns no rows, by row counts or by a condition that is always false. */
function givesNothing(plan: LogicalPlan): boolean {
  if (plan.kind === 'scan') {
    return holdsNothing(plan.range) || (plan.predicate !== undefined && isFalse(plan.predicate))
  }
  return (plan.kind === 'filter' && isFalse(plan.predicate)) || maxRows(plan) === 0
}

export const propagateEmpty: Rule = {
  name: 'propagate-empty',
  summary: 'A part that cannot give rows is not run.',
  examples: {
    changes: 'status:>500 status:<400 | stats by (pod) count() as n',
    leaves: 'status:>500 duration_ms:<400 | stats by (pod) count() as n',
  },
  direction: 'up',
  apply(plan) {
    if (isEmpty(plan)) return plan
    if (givesNothing(plan)) return nothing(plan)
    if (plan.kind === 'union' && plan.inputsList.some(isEmpty)) {
      const next = { ...plan, inputsList: plan.inputsList.filter((input) => !isEmpty(input)) }
      return isSameSchema(schemaOf(next), schemaOf(plan)) ? next : plan
    }
    return plan
  },
}
