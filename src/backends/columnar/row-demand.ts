import { inputs, type LogicalPlan, type PlanKind } from '../../plan/index.ts'

/**
 * Number of input rows that a node reads. `all`: all of them before it returns a row. `as-read`: as many as its reader
 * requests. `less`: possibly fewer.
 */
type InputDemand = 'all' | 'as-read' | 'less'

const demands: { readonly [K in PlanKind]: readonly InputDemand[] } = {
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
  // One side is always read completely, but which one may be known only at run time. The left rows are read as far as
  // the result is.
  join: ['as-read', 'all'],
  limit: ['less'],
  distinct: ['less'],
  sample: ['less'],
  'table-apply': ['less'],
}

/**
 * Returns the nodes whose rows may not all be read. These are the root, since the reader of an answer may stop, and
 * nodes below it or below a limit. A sort or an aggregation in between reads all of its input.
 */
export function rowDemand(plan: LogicalPlan): ReadonlySet<LogicalPlan> {
  const found = new Set<LogicalPlan>()
  const seen = new Set<LogicalPlan>()
  const walk = (node: LogicalPlan, isWhole: boolean): void => {
    if (isWhole ? seen.has(node) || found.has(node) : found.has(node)) return
    if (isWhole) seen.add(node)
    else found.add(node)
    inputs(node).forEach((input, i) => {
      const demand = demands[node.kind][i] ?? demands[node.kind][0]
      walk(input, demand === 'all' || (demand === 'as-read' && isWhole))
    })
  }
  walk(plan, false)
  return found
}
