import { intersect, type Interval } from '../../base/index.ts'
import { holdsNothing, timeHull } from '../../analyze/index.ts'
import { literal, type Expr } from '../../plan/index.ts'
import { allOf, conjuncts, isFalse } from '../conjuncts.ts'
import type { Rule } from '../rule.ts'

function isSameInterval(a: Interval, b: Interval): boolean {
  return a.startNs === b.startNs && a.endNs === b.endNs
}

/** True if the range of the scan implies the test. */
function isTimeRange(expr: Expr, timeField: string): boolean {
  return (
    expr.kind === 'test' && expr.test.kind === 'time-range' && expr.arg.kind === 'column' && expr.arg.name === timeField
  )
}

export const inferTimeRange: Rule = {
  name: 'infer-time-range',
  summary: 'Tests on the time field tighten the range that the scan reads.',
  examples: {
    changes: '_time:[2026-03-17T10:00:00Z, 2026-03-17T11:00:00Z] error',
    leaves: '!_time:[2026-03-17T10:00:00Z, 2026-03-17T11:00:00Z] error',
  },
  direction: 'up',
  apply(plan, context) {
    if (plan.kind !== 'scan' || plan.predicate === undefined || isFalse(plan.predicate)) return plan
    const timeField = context.timeFieldOf(plan.table)
    if (timeField === undefined) return plan
    const range = intersect(plan.range, timeHull(plan.predicate, timeField))
    if (holdsNothing(range)) return { ...plan, predicate: literal(false, plan.predicate.origin) }
    const all = conjuncts(plan.predicate)
    const rest = all.filter((conjunct) => !isTimeRange(conjunct, timeField))
    if (rest.length === all.length && isSameInterval(range, plan.range)) return plan
    return {
      ...plan,
      range,
      predicate:
        rest.length === 0 ? undefined : rest.length === all.length ? plan.predicate : allOf(rest, 'infer-time-range'),
    }
  },
}
