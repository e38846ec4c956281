import { derived } from '../../base/index.ts'
import { holdsNothing } from '../../analyze/index.ts'
import { isSameSchema } from '../../data/index.ts'
import { inputs, schemaOf, type LogicalPlan, type Values } from '../../plan/index.ts'
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

/** Whether no row can come out, given what the inputs are. */
function givesNothing(plan: LogicalPlan): boolean {
  switch (plan.kind) {
    case 'scan':
      return holdsNothing(plan.range) || (plan.predicate !== undefined && isFalse(plan.predicate))
    case 'filter':
      return isFalse(plan.predicate) || isEmpty(plan.input)
    case 'limit':
    case 'sort':
    case 'limit-by':
      return plan.limit === 0 || isEmpty(plan.input)
    case 'distinct':
      return plan.limit === 0 || isEmpty(plan.input)
    case 'sample':
      return (plan.mode === 'rows' && plan.n === 0) || isEmpty(plan.input)
    case 'aggregate':
      // Without keys there is one row even of nothing.
      return plan.keys.length > 0 && isEmpty(plan.input)
    case 'project':
    case 'drop':
    case 'rename':
    case 'extend':
    case 'window':
    case 'apply':
      return isEmpty(plan.input)
    case 'join':
      if (plan.type === 'inner' || plan.type === 'cross') return isEmpty(plan.left) || isEmpty(plan.right)
      if (plan.type === 'left') return isEmpty(plan.left)
      if (plan.type === 'right') return isEmpty(plan.right)
      return isEmpty(plan.left) && isEmpty(plan.right)
    case 'union':
      return inputs(plan).every(isEmpty)
    default:
      return false
  }
}

export const propagateEmpty: Rule = {
  name: 'propagate-empty',
  summary: 'A part that cannot give rows is not run.',
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
