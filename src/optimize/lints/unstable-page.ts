import type { Diagnostic } from '../../base/index.ts'
import { orderOf, visit, type LogicalPlan } from '../../plan/index.ts'
import { lintDiagnostic } from '../lint-diagnostics.ts'
import type { Lint } from '../lint.ts'

/** True if the rows are in an order that the query requests or that grouping produces. */
function isOrdered(plan: LogicalPlan): boolean {
  if (plan.kind === 'sort' || plan.kind === 'values' || orderOf(plan).base === 'group-key') return true
  return 'input' in plan && isOrdered(plan.input)
}

export const unstablePage: Lint = {
  name: 'unstable-page',
  summary: 'A page with an offset has a sort.',
  check({ plan }) {
    const found: Diagnostic[] = []
    visit(plan, (node) => {
      if (node.kind !== 'limit' || node.offset === 0) return
      if (!isOrdered(node.input)) found.push(lintDiagnostic('unstable-page', {}, node.origin))
    })
    return found
  },
}
