import { inputs, type LogicalPlan, type PlanKind } from '../../plan/index.ts'

/**
 * How a node reads its input: all rows before it returns any (`all`), as many as are read from itself (`as-read`), or
 * fewer (`less`).
 */
type Reading = 'all' | 'as-read' | 'less'

const readings: { readonly [K in PlanKind]: readonly Reading[] } = {
  scan: [],
  values: [],
  filter: ['as-read'],
  project: ['as-read'],
  drop: ['as-read'],
  rename: ['as-read'],
  extend: ['as-read'],
  apply: ['as-read'],
  aggregate: ['all'],
  sort: ['all'],
  window: ['all'],
  'limit-by': ['as-read'],
  union: ['as-read', 'as-read'],
  // One side is read completely. Which one may be known only at run time; the left one counts as read when its rows
  // are.
  join: ['as-read', 'all'],
  limit: ['less'],
  distinct: ['less'],
  sample: ['less'],
  'table-apply': ['less'],
}

/**
 * Returns the nodes whose rows may not all be read: the root, since the reader of an answer may stop, and all nodes
 * whose rows reach it or a limit without an aggregation or a sort in between.
 */
export function rowDemand(plan: LogicalPlan): ReadonlySet<LogicalPlan> {
  const found = new Set<LogicalPlan>()
  const seen = new Set<LogicalPlan>()
  const walk = (node: LogicalPlan, isWhole: boolean): void => {
    if (isWhole ? seen.has(node) || found.has(node) : found.has(node)) return
    if (isWhole) seen.add(node)
    else found.add(node)
    inputs(node).forEach((input, i) => {
      const reading = readings[node.kind][i] ?? readings[node.kind][0]
      walk(input, reading === 'all' || (reading === 'as-read' && isWhole))
    })
  }
  walk(plan, false)
  return found
}
