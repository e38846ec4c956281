import { type Origin } from '../base/index.ts'
import type { ValueTest } from '../data/index.ts'
import {
  declaredField,
  expressions,
  inputs,
  matchesField,
  plainName,
  propertiesOf,
  visit,
  visitExpr,
  type Expr,
  type FieldPattern,
  type LogicalPlan,
} from '../plan/index.ts'

/** A read of a stored field at one position of a query. */
export interface SourceRead {
  readonly table: string
  readonly field: string
  /** True if the table declares the field. */
  readonly isDeclared: boolean
  /** Origin of the filter or stage that reads it. */
  readonly origin: Origin
  /** Test on the value of the field, if a filter compares whole values. */
  readonly test: ValueTest | undefined
}

/** Fields that are computed from others when a query reads them. */
const COMPUTED: ReadonlySet<string> = new Set(['_stream', '_stream_id'])

/** Table that rows come from, and the fields that may differ from the stored ones. */
interface Source {
  readonly table: string
  readonly isDeclared: (field: string) => boolean
  readonly made: readonly FieldPattern[]
}

function plainNames(patterns: readonly FieldPattern[]): readonly string[] {
  return patterns.flatMap((pattern) => plainName(pattern) ?? [])
}

/** Returns the fields that a node reads by name outside its expressions. */
export function namesReadBy(node: LogicalPlan): readonly string[] {
  switch (node.kind) {
    case 'project':
      return plainNames(node.fields)
    case 'rename': {
      const made = new Set<string>()
      return node.steps.flatMap(({ from, to }) => {
        const read = plainNames([from]).filter((name) => !made.has(name))
        for (const name of plainNames([to])) made.add(name)
        return read
      })
    }
    case 'distinct':
      return node.keys
    case 'apply':
    case 'table-apply':
      // A field that the function both reads and writes counts as read.
      return plainNames(node.use.reads).filter(
        (name) => !node.use.writes.some((pattern) => matchesField(pattern, name)),
      )
    default:
      return []
  }
}

/**
 * Returns the stored fields that a bound plan reads: each field once for each position, in plan order, without computed
 * fields. Above joins, unions and nodes that produce new rows, the source of a field is unknown, so nothing is listed.
 */
export function sourceReads(plan: LogicalPlan): readonly SourceRead[] {
  const sources = new Map<LogicalPlan, Source | undefined>()
  const sourceOf = (node: LogicalPlan): Source | undefined => {
    if (sources.has(node)) return sources.get(node)
    let found: Source | undefined
    if (node.kind === 'scan') {
      const isDeclared = (field: string): boolean => declaredField(node.tableSchema, field) !== undefined
      found = node.tableSchema.isOpen ? { table: node.table, isDeclared, made: [] } : undefined
    } else {
      const [input, ...more] = inputs(node)
      const below = input === undefined || more.length > 0 ? undefined : sourceOf(input)
      const { touches } = propertiesOf(node)
      if (below !== undefined && touches !== undefined)
        found = touches.length === 0 ? below : { ...below, made: [...below.made, ...touches] }
    }
    sources.set(node, found)
    return found
  }
  const reads: SourceRead[] = []
  visit(plan, (node) => {
    const [input, ...more] = inputs(node)
    const source = node.kind === 'scan' || input === undefined || more.length > 0 ? undefined : sourceOf(input)
    if (source === undefined) return
    // Assignments of one stage run in order: a later one may read a field that an earlier one computed.
    const own = node.kind === 'extend' ? (propertiesOf(node).touches ?? []) : []
    const made = [...source.made, ...own]
    const add = (field: string, origin: Origin, test?: ValueTest): void => {
      if (COMPUTED.has(field) || made.some((pattern) => matchesField(pattern, field))) return
      reads.push({ table: source.table, field, isDeclared: source.isDeclared(field), origin, test })
    }
    for (const name of namesReadBy(node)) add(name, node.origin)
    for (const root of expressions(node)) {
      visitExpr(root, (expr: Expr) => {
        if (expr.kind === 'test' && expr.arg.kind === 'column') {
          if (expr.test.kind === 'equals' || expr.test.kind === 'in') add(expr.arg.name, expr.origin, expr.test)
        } else if (expr.kind === 'column') add(expr.name, expr.origin)
      })
    }
  })
  return reads
}
