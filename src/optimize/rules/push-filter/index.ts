import { derived, present } from '../../../base/index.ts'
import { inputs, opsOf, type Expr, type Filter, type LogicalPlan, type Scan } from '../../../plan/index.ts'
import { allOf, conjuncts, isRepeatable } from '../../conjuncts.ts'
import type { Rule, RuleContext } from '../../rule.ts'
import { throughJoin, throughUnion } from './combined.ts'
import { throughAggregate, throughDistinct, throughLimitBy, throughSort, throughWindow } from './grouped.ts'
import { throughApply, throughDrop, throughExtend, throughProject, throughRename, throughSample } from './row-wise.ts'
import { throughOf, type ThroughTable } from './through.ts'

const BY = 'push-filter'

/** Functions that push a filter through a kind of node. A filter is not pushed through kinds that are not listed. */
const through: ThroughTable = {
  project: throughProject,
  drop: throughDrop,
  rename: throughRename,
  extend: throughExtend,
  apply: throughApply,
  sample: throughSample,
  sort: throughSort,
  aggregate: throughAggregate,
  distinct: throughDistinct,
  'limit-by': throughLimitBy,
  window: throughWindow,
  union: throughUnion,
  join: throughJoin,
}

/** Returns a condition in the form that it has below a node; `undefined` if it cannot be pushed. */
export function throughNode(
  conjunct: Expr,
  node: LogicalPlan,
  context: RuleContext,
): readonly (Expr | undefined)[] | undefined {
  return throughOf(through, node)?.(conjunct, node, context)
}

function intoScan(filter: Filter, scan: Scan): Scan {
  const own = scan.predicate === undefined ? [] : conjuncts(scan.predicate)
  return {
    ...scan,
    predicate: own.length === 0 ? filter.predicate : allOf([...own, ...conjuncts(filter.predicate)], BY),
  }
}

function filtered(input: LogicalPlan, added: readonly Expr[], origin: Filter['origin']): LogicalPlan {
  if (added.length === 0) return input
  return { kind: 'filter', input, predicate: added.length === 1 ? present(added[0]) : allOf(added, BY), origin }
}

function push(filter: Filter, node: LogicalPlan, context: RuleContext): LogicalPlan {
  const pass = throughOf(through, node)
  if (pass === undefined) return filter
  const below: Expr[][] = inputs(node).map(() => [])
  const stay: Expr[] = []
  for (const conjunct of conjuncts(filter.predicate)) {
    const moved = isRepeatable(conjunct, context.functions) ? pass(conjunct, node, context) : undefined
    if (moved === undefined) stay.push(conjunct)
    else moved.forEach((expr, i) => expr !== undefined && below[i]?.push(expr))
  }
  if (below.every((pushed) => pushed.length === 0)) return filter
  const origin = derived(BY, [filter.origin])
  const next = opsOf(node).withInputs(
    node,
    inputs(node).map((input, i) => filtered(input, below[i] ?? [], origin)),
  )
  return filtered(next, stay, filter.origin)
}

export const pushFilter: Rule = {
  name: 'push-filter',
  summary: 'Conditions move towards the data, part by part, and into the scan.',
  examples: {
    changes: '* | extract "status=<code> " | filter level:error',
    leaves: '* | limit 10 | filter level:error',
  },
  direction: 'down',
  apply(plan, context) {
    if (plan.kind !== 'filter') return plan
    if (plan.input.kind === 'scan')
      return isRepeatable(plan.predicate, context.functions) ? intoScan(plan, plan.input) : plan
    return push(plan, plan.input, context)
  },
}
