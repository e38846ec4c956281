import { fieldNamed } from '../../data/index.ts'
import { columnsOf, schemaOf, type Extend, type LogicalPlan, type NodeOf, type PlanKind } from '../../plan/index.ts'
import type { FieldSet } from '../field-set.ts'
import { rewriteByNeeds } from '../needs-walk.ts'
import type { Rule } from '../rule.ts'

/**
 * True if a field that a node makes can be dropped. A field that a node above assigns again must stay: nodes that read
 * fields by pattern can observe its first position.
 */
function canGo(name: string, needs: FieldSet, input?: LogicalPlan): boolean {
  if (needs.has(name)) return false
  return !needs.hides(name) || (input !== undefined && fieldNamed(schemaOf(input), name) !== undefined)
}

/** Returns the assignments whose field is read above, or by a later assignment that is kept. */
function usedAssignments(node: Extend, needs: FieldSet): Extend['assignments'] {
  const read = new Set<string>()
  let isOpen = false
  const kept = node.assignments.toReversed().filter(({ name, expr }) => {
    if (!isOpen && !read.has(name) && canGo(name, needs, node.input)) return false
    const names = columnsOf(expr)
    if (names === undefined) isOpen = true
    else for (const each of names) read.add(each)
    return true
  })
  return kept.toReversed()
}

type Trim<K extends PlanKind> = (node: NodeOf<K>, needs: FieldSet) => LogicalPlan

/** Functions that remove unused fields from a kind of node that adds fields. */
const trims: { readonly [K in PlanKind]?: Trim<K> } = {
  extend: (node, needs) => {
    const assignments = usedAssignments(node, needs)
    if (assignments.length === node.assignments.length) return node
    return assignments.length === 0 ? node.input : { ...node, assignments }
  },
  apply: (node, needs) =>
    node.isOneToOne &&
    !node.use.writes.some((pattern) => needs.overlaps(pattern)) &&
    node.outputs.every(({ name }) => canGo(name, needs, node.input))
      ? node.input
      : node,
  window: (node, needs) => {
    const calls = node.calls.filter(({ name }) => !canGo(name, needs, node.input))
    if (calls.length === node.calls.length) return node
    return calls.length === 0 ? node.input : { ...node, calls }
  },
  aggregate: (node, needs) => {
    const used = node.aggregates.filter(({ name }) => !canGo(name, needs))
    // An aggregate without keys must output one row, so one result is kept.
    const aggregates = used.length === 0 && node.keys.length === 0 ? node.aggregates.slice(0, 1) : used
    return aggregates.length === node.aggregates.length ? node : { ...node, aggregates }
  },
  distinct: (node, needs) =>
    node.hitsName === undefined || !canGo(node.hitsName, needs) ? node : { ...node, hitsName: undefined },
  sort: (node, needs) =>
    node.rankName === undefined || !canGo(node.rankName, needs, node.input) || node.keys.length === 0
      ? node
      : { ...node, rankName: undefined },
}

/**
 * Drops computed fields that no node reads. A node that reads all fields without naming them, such as a sort without
 * keys, keeps them.
 */
export const removeUnused: Rule = {
  name: 'remove-unused',
  summary: 'Fields and results that nobody above reads are not made.',
  examples: {
    changes: '* | math duration_ms * 2 as twice | extract "user=<user> " | stats by (pod) count() as n',
    leaves: '* | math duration_ms * 2 as twice | stats by (pod) sum(twice) as n',
  },
  direction: 'whole',
  apply: (plan) =>
    rewriteByNeeds(plan, (node, needs) => {
      // If a node is dropped, its input is examined next.
      let current = node
      for (;;) {
        const next = (trims[current.kind] as Trim<PlanKind> | undefined)?.(current, needs) ?? current
        if (next === current) return current
        current = next
      }
    }),
}
