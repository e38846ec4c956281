import { languageOf } from '../../engine/index.ts'
import type { Functions } from '../../functions/index.ts'
import { optimize, type RuleContext } from '../../optimize/index.ts'
import { inputs, type LogicalPlan } from '../../plan/index.ts'
import { standardCatalog } from '../../store/index.ts'
import type { Oracle } from './oracle.ts'

const contextOf = (functions: Functions): RuleContext => ({
  functions,
  timeFieldOf: (table) => standardCatalog.tables.get(table)?.timeField,
  textFieldOf: (table) => standardCatalog.tables.get(table)?.textField,
})

/** True if a sort only orders rows, without ranks and without a limit. */
function keepsAllRows(plan: LogicalPlan): boolean {
  if (plan.kind !== 'sort' || plan.rankName !== undefined || plan.partitionBy.length > 0) return false
  return plan.limit === undefined && plan.offset === 0
}

/**
 * Returns a description of two nodes that optimization must not leave in a plan, since they cost time without effect on
 * the answer; `undefined` if there are none.
 */
function leftOver(plan: LogicalPlan): string | undefined {
  switch (plan.kind) {
    case 'filter':
      if (plan.input.kind === 'filter') return 'a filter above a filter'
      if (plan.input.kind === 'scan') return 'a filter above a scan'
      return keepsAllRows(plan.input) ? 'a filter above a sort of all rows' : undefined
    case 'limit':
      if (plan.input.kind === 'limit') return 'a limit above a limit'
      return plan.limit !== undefined && keepsAllRows(plan.input) ? 'a limit above a sort of all rows' : undefined
    default:
      return undefined
  }
}

function firstLeftOver(plan: LogicalPlan): string | undefined {
  return (
    leftOver(plan) ??
    inputs(plan)
      .map(firstLeftOver)
      .find((found) => found !== undefined)
  )
}

/** The optimizer reaches a fixed point, and leaves no node that its rules exist to remove. */
export const plansSettle: Oracle = {
  name: 'plans-settle',
  check: async ({ text, subject, model }) => {
    if ('error' in model) return undefined
    const plan = subject.plan(text)
    if (optimize(plan, { context: contextOf(languageOf(subject.setting.extend ?? {}).functions) }) !== plan)
      return 'the rules change the plan that they have made'
    return firstLeftOver(plan)
  },
}
