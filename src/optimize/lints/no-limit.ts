import type { LogicalPlan } from '../../plan/index.ts'
import { lintDiagnostic } from '../lint-diagnostics.ts'
import type { Lint } from '../lint.ts'

/** Whether the number of rows is kept small by what the query says, not by what the data are. */
function isBounded(plan: LogicalPlan): boolean {
  switch (plan.kind) {
    case 'values':
    case 'aggregate':
    case 'distinct':
    case 'table-apply':
      return true
    case 'limit':
      return plan.limit !== undefined || isBounded(plan.input)
    case 'sort':
      return (plan.limit !== undefined && plan.partitionBy.length === 0) || isBounded(plan.input)
    case 'sample':
      return plan.mode === 'rows' || isBounded(plan.input)
    case 'scan':
      return false
    case 'join':
      return isBounded(plan.left)
    case 'union':
      return plan.inputsList.every(isBounded)
    default:
      return isBounded(plan.input)
  }
}

export const noLimit: Lint = {
  name: 'no-limit',
  summary: 'A query for rows ends with a limit.',
  *check({ plan }) {
    if (!isBounded(plan)) yield lintDiagnostic('no-limit', {}, plan.origin)
  },
}
