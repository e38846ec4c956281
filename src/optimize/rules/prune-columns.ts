import { fieldNamed } from '../../data/index.ts'
import {
  columnsOf,
  expressions,
  inputs,
  mapSubqueries,
  matchesField,
  opsOf,
  plainName,
  schemaOf,
  type Expr,
  type FieldPattern,
  type Join,
  type LogicalPlan,
  type Rename,
  type Scan,
} from '../../plan/index.ts'
import type { Rule } from '../rule.ts'

/** Names that are read of the rows of a node; `undefined` is every field. */
type Needs = ReadonlySet<string> | undefined

function union(...all: readonly Needs[]): Needs {
  const names = new Set<string>()
  for (const needs of all) {
    if (needs === undefined) return undefined
    for (const name of needs) names.add(name)
  }
  return names
}

function without(needs: Needs, isMade: (name: string) => boolean): Needs {
  return needs === undefined ? undefined : new Set([...needs].filter((name) => !isMade(name)))
}

function ofExprs(exprs: readonly Expr[]): Needs {
  return union(...exprs.map(columnsOf))
}

function plainNames(patterns: readonly FieldPattern[]): Needs {
  const names = new Set<string>()
  for (const pattern of patterns) {
    const name = plainName(pattern)
    if (name === undefined) return undefined
    names.add(name)
  }
  return names
}

function throughRename(node: Rename, needs: Needs): Needs {
  if (needs === undefined) return undefined
  let names = new Set(needs)
  for (const step of node.steps.toReversed()) {
    const from = plainName(step.from)
    const to = plainName(step.to)
    if (from === undefined || to === undefined) return undefined
    if (from === to) continue
    const before = new Set(names)
    if (!node.isCopy) before.delete(from)
    if (before.delete(to)) before.add(from)
    names = before
  }
  return names
}

/**
 * Both sides may have a name, and which one shows, and under which name, depends on the other side: each side gives
 * every name that is read, and the bare names of those that are read with the prefix.
 */
function throughJoin(node: Join, needs: Needs): readonly Needs[] {
  const left = schemaOf(node.left)
  const right = schemaOf(node.right)
  const { prefix } = node
  // Which names clash shows only in the rows, so none may go missing.
  const isUnclear = prefix !== undefined && node.prefixMode === 'collision' && (left.isOpen || right.isOpen)
  if (needs === undefined || isUnclear) return [undefined, undefined]
  const lead = prefix === undefined ? undefined : node.prefixMode === 'all' ? prefix : `${prefix}.`
  const bare = [...needs].flatMap((name) =>
    lead !== undefined && name.startsWith(lead) ? [name.slice(lead.length)] : [],
  )
  const names = [...needs, ...bare]
  // A column made for the left side would hide what the right side declares of its own.
  const isHiding =
    left.isOpen && right.fields.some((f) => names.includes(f.name) && fieldNamed(left, f.name) === undefined)
  return [
    isHiding ? undefined : new Set([...names, ...node.on.map((pair) => pair.left)]),
    new Set([...names, ...node.on.map((pair) => pair.right)]),
  ]
}

/** What a node reads of its inputs when `needs` are read of its own rows. */
function needsOfInputs(node: LogicalPlan, needs: Needs): readonly Needs[] {
  const own = ofExprs(expressions(node))
  switch (node.kind) {
    case 'project': {
      const names = plainNames(node.fields)
      if (names === undefined)
        return [
          needs === undefined ? undefined : without(needs, (name) => !node.fields.some((p) => matchesField(p, name))),
        ]
      // Columns that nobody reads stay columns of this node, so they are read here.
      return [names]
    }
    case 'drop':
      return [without(needs, (name) => node.fields.some((pattern) => matchesField(pattern, name)))]
    case 'rename':
      return [throughRename(node, needs)]
    case 'extend': {
      let current = needs
      for (const { name, expr } of node.assignments.toReversed()) {
        current = union(
          without(current, (other) => other === name),
          columnsOf(expr),
        )
      }
      return [current]
    }
    case 'aggregate':
      return [own]
    case 'distinct':
      return [new Set(node.keys)]
    case 'window':
      return [
        union(
          without(needs, (name) => node.calls.some((call) => call.name === name)),
          own,
        ),
      ]
    case 'sort':
      // Without keys it orders by all fields.
      return [
        node.keys.length === 0
          ? undefined
          : union(
              without(needs, (name) => name === node.rankName),
              own,
            ),
      ]
    case 'apply': {
      const kept = without(needs, (name) => node.condition === undefined && node.use.replaces.includes(name))
      return [union(kept, plainNames(node.use.reads), own)]
    }
    case 'table-apply':
      return [union(node.keepsInputFields ? needs : new Set<string>(), plainNames(node.use.reads))]
    case 'join':
      return throughJoin(node, needs)
    case 'union':
      return node.inputsList.map(() => needs)
    default:
      return inputs(node).map(() => union(needs, own))
  }
}

function pruneScan(scan: Scan, needs: Needs): Scan {
  if (needs === undefined) return scan
  const isKept = (name: string): boolean => needs.has(name)
  const declared = scan.tableSchema.fields.map((f) => f.name)
  const others = scan.tableSchema.isOpen ? [...needs].filter((name) => !declared.includes(name)).toSorted() : []
  const known = scan.columns ?? [...declared, ...others]
  const columns = known.filter(isKept)
  return scan.columns !== undefined && columns.length === scan.columns.length ? scan : { ...scan, columns }
}

function prune(node: LogicalPlan, needs: Needs): LogicalPlan {
  const bare = mapSubqueries(node, pruneRoot)
  if (bare.kind === 'scan') return pruneScan(bare, needs)
  const ops = opsOf(bare)
  const old = ops.inputs(bare)
  const below = needsOfInputs(bare, needs)
  const next = old.map((input, i) => prune(input, below[i]))
  return next.every((input, i) => input === old[i]) ? bare : ops.withInputs(bare, next)
}

/** All that a root gives is read: its schema must not change. */
function pruneRoot(plan: LogicalPlan): LogicalPlan {
  const schema = schemaOf(plan)
  return prune(plan, schema.isOpen ? undefined : new Set(schema.fields.map((f) => f.name)))
}

export const pruneColumns: Rule = {
  name: 'prune-columns',
  summary: 'A scan gives only the fields that somebody above reads.',
  direction: 'whole',
  apply: pruneRoot,
}
