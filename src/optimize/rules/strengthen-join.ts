import { declaredField, schemaOf, type Expr } from '../../plan/index.ts'
import { conjuncts } from '../conjuncts.ts'
import { rejectsMissing } from '../predicates.ts'
import type { Rule } from '../rule.ts'
import { rightSource } from './push-filter/combined.ts'

/** Returns the only column that a condition tests, if the condition is false for a missing value; else `undefined`. */
function columnNeeded(conjunct: Expr): string | undefined {
  const test = conjunct.kind === 'not' ? conjunct.arg : conjunct
  if (test.kind !== 'test' || test.arg.kind !== 'column') return undefined
  return rejectsMissing(test.test) === (conjunct.kind !== 'not') ? test.arg.name : undefined
}

/**
 * Turns an outer join into an inner one if a filter above drops the padded rows: their right values are missing, and
 * the condition is false for missing values.
 */
export const strengthenJoin: Rule = {
  name: 'strengthen-join',
  summary: 'A left join whose rows without a partner are filtered out is an inner join.',
  examples: {
    changes:
      '* | fields trace_id, pod | join by (trace_id) (level:error | fields trace_id, status) | filter status:500',
    leaves:
      '* | fields trace_id, pod | join by (trace_id) (level:error | fields trace_id, status) | filter !status:500',
  },
  direction: 'up',
  apply(plan) {
    if (plan.kind !== 'filter' || plan.input.kind !== 'join' || plan.input.type !== 'left') return plan
    const join = plan.input
    const left = schemaOf(join.left)
    const right = schemaOf(join.right)
    const isNeeded = conjuncts(plan.predicate).some((conjunct) => {
      const name = columnNeeded(conjunct)
      if (name === undefined) return false
      const source = rightSource(join, left, right, name)
      return source !== undefined && declaredField(right, source) !== undefined
    })
    return isNeeded ? { ...plan, input: { ...join, type: 'inner' } } : plan
  },
}
