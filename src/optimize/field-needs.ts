import {
  expressions,
  inputs,
  plainName,
  rightLead,
  schemaOf,
  visitExpr,
  type AggregateCall,
  type Apply,
  type Expr,
  type FieldPattern,
  type Join,
  type LogicalPlan,
  type NodeOf,
  type PlanKind,
  type Rename,
} from '../plan/index.ts'
import { FieldSet } from './field-set.ts'

function named(name: string): FieldPattern {
  return { parts: [name] }
}

/** Returns the fields that expressions read, by name or by pattern. */
export function readsOf(exprs: Iterable<Expr>): readonly FieldPattern[] {
  const reads: FieldPattern[] = []
  for (const root of exprs) {
    visitExpr(root, (expr) => {
      if (expr.kind === 'column') reads.push(named(expr.name))
      else if (expr.kind === 'any-field' || expr.kind === 'columns') reads.push(expr.fields)
    })
  }
  return reads
}

function readsOfCall(call: AggregateCall): readonly FieldPattern[] {
  const exprs = [...call.args, ...call.orderBy.map((key) => key.expr)]
  return readsOf(call.filter === undefined ? exprs : [...exprs, call.filter])
}

function throughRename(node: Rename, needs: FieldSet): FieldSet {
  return needs.changed((draft) => {
    for (const { from, to } of node.steps.toReversed()) {
      if (plainName(from) !== undefined && plainName(from) === plainName(to)) continue
      const isNeeded = draft.overlaps(to)
      // A rename by pattern overwrites a target field only if its source field exists, so the old target may still be
      // read.
      if (plainName(to) !== undefined) draft.remove([to])
      if (!node.isCopy) draft.remove([from])
      if (isNeeded) draft.add([from])
    }
  })
}

function throughApply(node: Apply, needs: FieldSet): FieldSet {
  const isUsed = !node.isOneToOne || node.use.writes.some((pattern) => needs.overlaps(pattern))
  const isAlways = node.condition === undefined
  const kept = isAlways ? needs.without(node.use.replaces.map(named)) : needs
  if (!isUsed) return kept
  return kept.with([...node.use.reads, ...readsOf(expressions(node))])
}

/**
 * Returns the fields that a join reads from each side. If both sides have a name, the other side decides which value is
 * output and under which name. So each side must supply every name that is read, and for each name that is read with
 * the prefix also the name without it. Pruning the left side declares its fields, and a right column with a declared
 * name gets the prefix in all rows. So the left side is not pruned if the prefix depends on the row.
 */
function throughJoin(node: Join, needs: FieldSet): readonly FieldSet[] {
  const names = needs.names()
  const leftKeys = node.on.map((pair) => pair.left)
  const isByRow =
    node.prefix !== undefined &&
    node.prefixMode === 'collision' &&
    (schemaOf(node.left).isOpen || schemaOf(node.right).isOpen)
  if (names === undefined) return [(isByRow ? FieldSet.all : needs).with(leftKeys.map(named)), FieldSet.all]
  const lead = rightLead(node)
  const bare = names.flatMap((name) => (lead !== undefined && name.startsWith(lead) ? [name.slice(lead.length)] : []))
  const wanted = [...names, ...bare]
  return [
    isByRow ? FieldSet.all : FieldSet.named([...wanted, ...leftKeys]),
    // A right row may have a field under both names, with and without the prefix; the first present one is output.
    isByRow && schemaOf(node.right).isOpen
      ? FieldSet.all
      : FieldSet.named([...wanted, ...node.on.map((pair) => pair.right)]),
  ]
}

type NeedsBelow<K extends PlanKind> = (node: NodeOf<K>, needs: FieldSet) => readonly FieldSet[]

/**
 * Functions that return the fields read from each input, for kinds of node that read more fields than their expressions
 * do, or that output other fields than they read.
 */
const ownNeeds: { readonly [K in PlanKind]?: NeedsBelow<K> } = {
  project: (node, needs) => [needs.among(node.fields)],
  drop: (node, needs) => [needs.without(node.fields)],
  rename: (node, needs) => [throughRename(node, needs)],
  extend: (node, needs) => {
    const below = needs.changed((draft) => {
      for (const { name, expr } of node.assignments.toReversed()) {
        const isRead = draft.has(name)
        draft.remove([named(name)])
        if (isRead) draft.add(readsOf([expr]))
      }
    })
    return [below]
  },
  aggregate: (node, needs) => {
    const results = node.aggregates.filter(({ name }) => needs.has(name))
    return [
      FieldSet.of([...readsOf(node.keys.map((key) => key.expr)), ...results.flatMap(({ call }) => readsOfCall(call))]),
    ]
  },
  distinct: (node) => [FieldSet.named(node.keys)],
  window: (node, needs) => {
    const results = node.calls.filter(({ name }) => needs.has(name))
    const kept = needs.without(node.calls.map(({ name }) => named(name)))
    const order = results.length === 0 ? [] : readsOf(node.orderBy.map((key) => key.expr))
    return [kept.with([...readsOf(node.partitionBy), ...order, ...results.flatMap(({ call }) => readsOfCall(call))])]
  },
  sort: (node, needs) => {
    const kept = node.rankName === undefined ? needs : needs.without([named(node.rankName)])
    // A sort without keys sorts by all fields.
    return [node.keys.length === 0 ? FieldSet.all : kept.with(readsOf(expressions(node)))]
  },
  apply: (node, needs) => [throughApply(node, needs)],
  'table-apply': (node, needs) => [
    (node.keepsInputFields ? needs.without(node.use.replaces.map(named)) : FieldSet.none).with(node.use.reads),
  ],
  join: (node, needs) => throughJoin(node, needs),
}

/** Returns the fields that a node reads from each input, given the fields `needs` that are read from its output. */
export function needsOfInputs(node: LogicalPlan, needs: FieldSet): readonly FieldSet[] {
  const own = ownNeeds[node.kind] as NeedsBelow<PlanKind> | undefined
  return own === undefined ? inputs(node).map(() => needs.with(readsOf(expressions(node)))) : own(node, needs)
}
