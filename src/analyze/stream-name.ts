import type { Origin } from '../base/index.ts'
import {
  call,
  column,
  declaredField,
  expressions,
  fieldPattern,
  inputs,
  literal,
  mapInputs,
  mapSubqueries,
  matchesField,
  plainName,
  propertiesOf,
  visitExpr,
  type Call,
  type Expr,
  type LogicalPlan,
  type TableDefinition,
} from '../plan/index.ts'
import { namesReadBy } from './source-reads.ts'
import { STREAM, resolveName, type Scope } from './scope.ts'

const STREAM_ID = '_stream_id'

function isComputed({ schema }: Scope, name: string): boolean {
  return schema.isOpen && declaredField(schema, name) === undefined
}

function nameRead(scope: Scope, origin: Origin): Call | undefined {
  const { streamFields } = scope
  if (streamFields.length === 0 || !isComputed(scope, STREAM)) return undefined
  const labels = streamFields.flatMap((field) => [literal(field, origin), column(field, origin)])
  return call('stream-name', [column(STREAM, origin), ...labels], origin)
}

/** Returns an expression for `_stream_id`: computed from the stream fields, or from a `_stream` that a stage made. */
function idRead(scope: Scope, origin: Origin): Call | undefined {
  if (!isComputed(scope, STREAM_ID)) return undefined
  const isMade = declaredField(scope.schema, STREAM) !== undefined
  const name = isMade ? column(STREAM, origin) : nameRead(scope, origin)
  return name === undefined ? undefined : call('stream-id', [column(STREAM_ID, origin), name], origin)
}

/**
 * Returns an expression that builds `_stream` or `_stream_id` from the stream fields. `undefined` for other names, and
 * if a stage has made a column of this name or fixed the set of columns; then the name is an ordinary field.
 */
export function streamNameRead(scope: Scope, name: string, origin: Origin): Call | undefined {
  if (name === STREAM) return nameRead(scope, origin)
  return name === STREAM_ID ? idRead(scope, origin) : undefined
}

/** Adds `_stream` or `_stream_id` as a column, for nodes that name fields outside expressions. */
export function withStreamName(input: LogicalPlan, scope: Scope, names: Iterable<string | undefined>): LogicalPlan {
  const wanted = new Set(names)
  const { origin } = input
  const assignments = [STREAM, STREAM_ID].flatMap((name) => {
    const expr = wanted.has(name) ? streamNameRead(scope, name, origin) : undefined
    return expr === undefined ? [] : [{ name, expr, type: 'string' as const }]
  })
  return assignments.length === 0 ? input : { kind: 'extend', input, assignments, origin }
}

/** Returns the field for a label of a stream filter; `undefined` if no stream of these rows has the label. */
export function streamLabelRead(scope: Scope, label: string, origin: Origin): Expr | undefined {
  const field = resolveName(scope, label)
  if (isComputed(scope, STREAM)) return scope.streamFields.includes(field) ? column(field, origin) : undefined
  const isLabel = (name: string): boolean =>
    scope.streamLabels === undefined || scope.streamLabels.some((pattern) => matchesField(pattern, name))
  const name = [label, field].find(isLabel)
  return name === undefined ? undefined : call('stream-label', [column(STREAM, origin), literal(name, origin)], origin)
}

const NAMES: ReadonlySet<string> = new Set([STREAM, STREAM_ID])

/**
 * Returns how an unbound node uses the stream: `named` makes `_stream` a field of its output rows, `tested` only reads
 * it, directly or through `_stream_id`.
 */
function streamUse(node: LogicalPlan): 'named' | 'tested' | undefined {
  const kept = node.kind === 'apply' ? node.outputs.filter(({ name }) => !node.use.replaces.includes(name)) : []
  const on = node.kind === 'join' ? node.on.map(({ left }) => left) : []
  const names = [...namesReadBy(node), ...kept.map(({ name }) => name), ...on]
  if (names.includes(STREAM)) return 'named'
  let isTested = names.includes(STREAM_ID)
  for (const root of expressions(node)) {
    visitExpr(root, (expr) => {
      if (expr.kind === 'column') isTested ||= NAMES.has(expr.name)
      else if (expr.kind === 'field-filter') isTested ||= NAMES.has(plainName(expr.field ?? { parts: [] }) ?? '')
      else isTested ||= expr.kind === 'stream-filter'
    })
  }
  return isTested ? 'tested' : undefined
}

/** Returns the names of the stream fields, with their aliases. */
function namesOfStream({ streamFields, aliases }: TableDefinition): readonly string[] {
  return [...streamFields, ...[...aliases].flatMap(([alias, field]) => (streamFields.includes(field) ? [alias] : []))]
}

/**
 * Materializes `_stream` as a column before a stage that changes one of the stream fields, if a later stage reads it.
 * The column is dropped after the last reader, unless a stage has named it.
 */
export function keepStreamNames(
  plan: LogicalPlan,
  tableOf: (name: string) => TableDefinition | undefined,
): LogicalPlan {
  interface Kept {
    readonly plan: LogicalPlan
    /** Fields from which `_stream` can still be computed; empty if it is a column already or cannot be computed. */
    readonly fields: readonly string[]
    readonly isLent: boolean
  }
  const keep = (node: LogicalPlan, isReadAbove: boolean): Kept => {
    if (node.kind === 'scan') {
      const table = tableOf(node.table)
      const isOpen = table !== undefined && table.schema.isOpen && declaredField(table.schema, STREAM) === undefined
      return { plan: node, fields: isOpen ? namesOfStream(table) : [], isLent: false }
    }
    const use = streamUse(node)
    const [first, ...others] = inputs(node)
    if (first === undefined) return { plan: node, fields: [], isLent: false }
    const below = keep(first, isReadAbove || use !== undefined)
    const { touches } = propertiesOf(node)
    const changes = (name: string): boolean =>
      touches === undefined || touches.some((pattern) => matchesField(pattern, name))
    const isLending = isReadAbove && touches !== undefined && !changes(STREAM) && below.fields.some(changes)
    const { origin } = node
    const assignments = [{ name: STREAM, expr: column(STREAM, origin), type: 'string' as const }]
    const input: LogicalPlan = isLending ? { kind: 'extend', input: below.plan, assignments, origin } : below.plan
    const next = mapInputs(node, (each) => (each === first ? input : keep(each, isReadAbove).plan))
    const isLent = (isLending || below.isLent) && use !== 'named' && touches !== undefined && others.length === 0
    const fields = isLending || use === 'named' || changes(STREAM) ? [] : below.fields
    if (!isLent || isReadAbove) return { plan: next, fields, isLent }
    return { plan: { kind: 'drop', input: next, fields: [fieldPattern(STREAM)], origin }, fields, isLent: false }
  }
  const inSubqueries = (node: LogicalPlan): LogicalPlan => mapSubqueries(mapInputs(node, inSubqueries), whole)
  const whole = (each: LogicalPlan): LogicalPlan => keep(inSubqueries(each), false).plan
  return whole(plan)
}
