import { canReturnNewest } from '../../analyze/index.ts'
import { mapInputs, type LogicalPlan } from '../../plan/index.ts'

/** Limits cut rows off and leave those before in their order. */
function withoutLimits(plan: LogicalPlan): LogicalPlan {
  return plan.kind === 'limit' ? withoutLimits(plan.input) : mapInputs(plan, withoutLimits)
}

/** Whether rows of a plan come newest first and show when they were, so that those of several nodes can be merged. */
export function comesNewestFirst(plan: LogicalPlan): boolean {
  return canReturnNewest(withoutLimits(plan))
}
