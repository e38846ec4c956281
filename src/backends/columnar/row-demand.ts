import { inputs, type LogicalPlan, type PlanKind } from '../../plan/index.ts'

/**
 * How many input rows a node reads. `all`: every row before the node returns its first one. `as-read`: as many as the
 * node's reader requests. `less`: possibly fewer than the reader requests.
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
  // One side is always read completely, but which one may be decided at run time. Left rows are read only as far as the
  // result is read.
  join: ['as-read', 'all'],
  limit: ['less'],
  distinct: ['less'],
  sample: ['less'],
  'table-apply': ['less'],
}

/**
 * Returns the nodes whose rows may be read only in part: the root, since the reader of an answer may stop, and nodes
 * below the root or below a limit. A sort or an aggregation reads all of its input.
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
