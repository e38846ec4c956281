import { inputs, type LogicalPlan, type PlanKind } from '../../plan/index.ts'

/** What a node does with the rows below it, in their order: reads all before it gives any, as many as are read of its own, or less. */
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
  // One side is built whole. Which one may be known only then: the left one is counted on when its rows are.
  join: ['as-read', 'all'],
  limit: ['less'],
  distinct: ['less'],
  sample: ['less'],
  'table-apply': ['less'],
}

/**
 * Nodes of a plan whose rows may not all be asked for: the root's, since who reads an answer may stop, and all whose rows go into them or into
 * a limit without being added up or sorted on the way.
 */
export function partlyRead(plan: LogicalPlan): ReadonlySet<LogicalPlan> {
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
