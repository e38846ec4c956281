import type { JsonValue, Origin } from '../base/index.ts'
import type { Field, ValueTest } from '../data/index.ts'
import {
  GrowingSchema,
  column,
  conjunction,
  declaredField,
  disjunction,
  fieldPattern,
  mapExpressions,
  not,
  plainName,
  schemaOf,
  test,
  type Aggregate,
  type AggregateCall,
  type Apply,
  type Distinct,
  type Drop,
  type Expr,
  type Extend,
  type FieldPattern,
  type GroupKey,
  type Join,
  type LogicalPlan,
  type Project,
  type Rename,
  type TableApply,
  type Window,
} from '../plan/index.ts'
import { bindAggregateCall, exprKey } from './bind-call.ts'
import { bindExpr, resolveRead, textFieldOf, type BindTools } from './bind-expr.ts'
import { analyzeDiagnostic } from './diagnostics.ts'
import { resolveName, type Scope } from './scope.ts'
import { withStreamName } from './stream-name.ts'
import { typeOf, typeOfCall } from './types.ts'

type OneScope = readonly [Scope]
type TwoScopes = readonly [Scope, Scope]

/** Binds one node whose inputs are bound, over their scopes. */
export type NodeBinder<N extends LogicalPlan> = (
  node: N,
  scopes: N extends Join ? TwoScopes : OneScope,
  tools: BindTools,
) => LogicalPlan

/**
 * Resolves a field pattern without stars that the query reads, and reports a name that these rows cannot have. Returns
 * patterns with stars unchanged.
 */
function readPattern(tools: BindTools, scope: Scope, pattern: FieldPattern, origin: Origin): FieldPattern {
  const name = plainName(pattern)
  if (name === undefined) return pattern
  const field = resolveRead(tools, scope, name, origin, false)
  return field === name ? pattern : fieldPattern(field)
}

/** Resolves a field pattern without stars. Unlike `readPattern` it does not report missing names. */
function namePattern(scope: Scope, pattern: FieldPattern): FieldPattern {
  const name = plainName(pattern)
  if (name === undefined) return pattern
  const field = resolveName(scope, name)
  return field === name ? pattern : fieldPattern(field)
}

function bindProject(node: Project, [scope]: OneScope, tools: BindTools): Project {
  const seen = new Set<string>()
  const fields = node.fields
    .map((pattern) => readPattern(tools, scope, pattern, node.origin))
    .filter((pattern) => {
      const name = plainName(pattern)
      if (name === undefined) return true
      if (seen.has(name)) return false
      seen.add(name)
      return true
    })
  return { ...node, input: withStreamName(node.input, scope, seen), fields }
}

function bindDrop(node: Drop, [scope]: OneScope): Drop {
  return { ...node, fields: node.fields.map((pattern) => namePattern(scope, pattern)) }
}

/**
 * Binds a rename. Its steps run from left to right: a name that an earlier step made means that field, not an alias.
 */
function bindRename(node: Rename, [scope]: OneScope, tools: BindTools): LogicalPlan {
  const made = new Set<string>()
  const read = new Set<string>()
  const steps = node.steps.map((step) => {
    const from = plainName(step.from)
    const to = plainName(step.to)
    const bound =
      from === undefined || made.has(from) ? step : { ...step, from: readPattern(tools, scope, step.from, node.origin) }
    if (from !== undefined && !made.has(from)) read.add(from)
    if (to !== undefined) made.add(to)
    return bound
  })
  const input = withStreamName(node.input, scope, read)
  const bound: Rename = { ...node, input, steps }
  if (!node.isCopy || input === node.input || input.kind !== 'extend') return bound
  // `_stream` and `_stream_id` were added as columns only to be copied, so they are dropped again.
  const lent = input.assignments.map(({ name }) => name).filter((name) => !made.has(name))
  return { kind: 'drop', input: bound, fields: lent.map((name) => fieldPattern(name)), origin: node.origin }
}

function bindExtend(node: Extend, [scope]: OneScope, tools: BindTools): Extend {
  const schema = new GrowingSchema(scope.schema)
  const current: Scope = { ...scope, schema }
  const assignments = node.assignments.map((assignment) => {
    const expr = bindExpr(tools, current, assignment.expr)
    const type = typeOf(expr, schema, tools.functions)
    const made: Field = { name: assignment.name, type, presence: 'named' }
    schema.add(made)
    return { ...assignment, expr, type }
  })
  return { ...node, assignments }
}

/** Binds a group key. If it is written as an alias, the output has the field's own name. */
function bindKey(key: GroupKey, scope: Scope, tools: BindTools): GroupKey {
  const expr = bindExpr(tools, scope, key.expr)
  const written = key.expr.kind === 'bucket' ? key.expr.arg : key.expr
  const bound = expr.kind === 'bucket' ? expr.arg : expr
  const isAlias = written.kind === 'column' && bound.kind === 'column' && written.name === key.name
  return { name: isAlias ? bound.name : key.name, expr, type: typeOf(expr, scope.schema, tools.functions) }
}

function bindAggregate(node: Aggregate, [scope]: OneScope, tools: BindTools): Aggregate {
  const keys = new Map<string, GroupKey>()
  for (const unbound of node.keys) {
    const key = bindKey(unbound, scope, tools)
    const same = keys.get(key.name)
    if (same !== undefined && exprKey(same.expr) !== exprKey(key.expr)) {
      tools.report(analyzeDiagnostic('duplicate-key', { name: key.name }, unbound.expr.origin))
    }
    if (same === undefined) keys.set(key.name, key)
  }
  const names = new Set<string>()
  const aggregates = node.aggregates.map((aggregate) => {
    const { name } = aggregate
    if (keys.has(name)) tools.report(analyzeDiagnostic('result-is-key', { name }, aggregate.call.origin))
    else if (names.has(name)) tools.report(analyzeDiagnostic('duplicate-result', { name }, aggregate.call.origin))
    names.add(name)
    const call = bindAggregateCall(tools, aggregate.call, (expr) => bindExpr(tools, scope, expr))
    return { name, call, type: typeOfCall(call, scope.schema, tools.functions) }
  })
  return { ...node, keys: [...keys.values()], aggregates }
}

function bindWindow(node: Window, [scope]: OneScope, tools: BindTools): Window {
  const bind = (expr: Expr): Expr => bindExpr(tools, scope, expr)
  const names = new Set<string>()
  const calls = node.calls.map((named) => {
    if (names.has(named.name)) {
      tools.report(analyzeDiagnostic('duplicate-result', { name: named.name }, named.call.origin))
    }
    names.add(named.name)
    const call: AggregateCall = bindAggregateCall(tools, named.call, bind)
    return { ...named, call, type: typeOfCall(call, scope.schema, tools.functions) }
  })
  return {
    ...node,
    partitionBy: node.partitionBy.map(bind),
    orderBy: node.orderBy.map((key) => ({ ...key, expr: bind(key.expr) })),
    calls,
  }
}

function bindDistinct(node: Distinct, [scope]: OneScope, tools: BindTools): Distinct {
  const keys = new Set(node.keys.map((name) => resolveRead(tools, scope, name, node.origin, false)))
  if (node.hitsName !== undefined && keys.has(node.hitsName)) {
    tools.report(analyzeDiagnostic('result-is-key', { name: node.hitsName }, node.origin))
  }
  return { ...node, input: withStreamName(node.input, scope, keys), keys: [...keys] }
}

function bindJoin(node: Join, [left, right]: TwoScopes, tools: BindTools): Join {
  const on = node.on.map((pair) => ({
    left: resolveRead(tools, left, pair.left, node.origin, false),
    right: resolveRead(tools, right, pair.right, node.origin, false),
  }))
  const named = (side: 'left' | 'right'): readonly string[] => node.on.map((pair) => pair[side])
  return {
    ...node,
    left: withStreamName(node.left, left, named('left')),
    right: withStreamName(node.right, right, named('right')),
    on,
  }
}

function isJsonObject(value: JsonValue): value is { readonly [name: string]: JsonValue } {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Parameters that name a field to read in every function that has them. */
const usualFieldParams: readonly string[] = ['field', 'from']

/**
 * Replaces field names inside the parameters of a function: a single name, a list of names, or a pattern without stars.
 */
function mapParams(params: JsonValue, members: readonly string[], map: (name: string) => string): JsonValue {
  if (!isJsonObject(params)) return params
  const mapItem = (item: JsonValue): JsonValue => {
    if (typeof item === 'string') return map(item)
    return Array.isArray(item) && item.length === 1 ? item.map(mapItem) : item
  }
  const mapMember = (value: JsonValue): JsonValue => (Array.isArray(value) ? value.map(mapItem) : mapItem(value))
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, members.includes(name) ? mapMember(value) : value]),
  )
}

function mapPattern(pattern: FieldPattern, map: (name: string) => string): FieldPattern {
  const name = plainName(pattern)
  const next = name === undefined ? undefined : map(name)
  return next === undefined || next === name ? pattern : fieldPattern(next)
}

/** Parameter with the name of the output field of a function. */
const RESULT = 'into'

function resultName(params: JsonValue): JsonValue | undefined {
  return isJsonObject(params) ? params[RESULT] : undefined
}

type Applied = Pick<Apply, 'params' | 'use' | 'outputs'>

interface BoundApplied extends Applied {
  /**
   * Aliases that occur inside a parameter which the function parses itself, such as the text of `format`, with the
   * fields that they stand for.
   */
  readonly copies: ReadonlyMap<string, string>
}

/** Binds a row function. The empty name stands for the text field, the default input and output. */
function bindApplied(
  node: Applied,
  fieldParams: readonly string[],
  scope: Scope,
  tools: BindTools,
  origin: Origin,
): BoundApplied {
  let known = scope.textField
  const textField = (): string => (known ??= textFieldOf(tools, scope, origin))
  const named = new Map<string, string>()
  const params = mapParams(node.params, [...usualFieldParams, ...fieldParams], (name) => {
    const field = name === '' ? textField() : resolveName(scope, name)
    named.set(name, field)
    return field
  })
  const map = (name: string): string => named.get(name) ?? (name === '' ? textField() : name)
  // A function that rewrites a field writes that field, not its alias. A result keeps its given name unless it replaces
  // a field.
  const result = fieldParams.includes(RESULT) ? undefined : resultName(node.params)
  const mapWritten = (name: string): string => (name === result && name !== '' ? name : map(name))
  const writes = node.use.writes.map((pattern) => mapPattern(pattern, mapWritten))
  const written = new Set(writes.map(plainName))
  const copies = new Map<string, string>()
  for (const pattern of node.use.reads) {
    const name = plainName(pattern)
    const field = name === undefined || named.has(name) ? name : resolveName(scope, name)
    if (name !== undefined && field !== undefined && field !== name && !written.has(name) && !named.has(name)) {
      copies.set(name, field)
    }
  }
  return {
    params,
    use: {
      reads: node.use.reads.map((pattern) => mapPattern(pattern, map)),
      writes,
      replaces: node.use.replaces.map(mapWritten),
    },
    outputs: node.outputs.map((f) => ({ ...f, name: mapWritten(f.name) })),
    copies,
  }
}

/** Copies fields to their alias names before a node, and drops the copies after it. */
function withCopies(node: Apply, copies: ReadonlyMap<string, string>): LogicalPlan {
  if (copies.size === 0) return node
  const { origin } = node
  const assignments = [...copies].map(([name, field]) => ({
    name,
    expr: column(field, origin),
    type: declaredField(schemaOf(node.input), field)?.type ?? ('any' as const),
  }))
  const lent: LogicalPlan = { ...node, input: { kind: 'extend', input: node.input, assignments, origin } }
  return { kind: 'drop', input: lent, fields: [...copies.keys()].map((name) => fieldPattern(name)), origin }
}

function bindApply(node: Apply, [scope]: OneScope, tools: BindTools): LogicalPlan {
  const definition = tools.functions.rows.get(node.fn)
  if (definition === undefined) {
    tools.report(analyzeDiagnostic('unknown-row-function', tools.nearest(node.fn, 'rows'), node.origin))
  }
  const { copies, ...applied } = bindApplied(node, definition?.fieldParams ?? [], scope, tools, node.origin)
  // If a row gets no output, it keeps the previous value of the field, so these fields are also read.
  const kept = applied.outputs.map(({ name }) => name).filter((name) => !applied.use.replaces.includes(name))
  const bound: Apply = {
    ...node,
    ...applied,
    input: withStreamName(node.input, scope, [...applied.use.reads.map(plainName), ...kept]),
    fn: definition?.name ?? node.fn,
    condition: node.condition === undefined ? undefined : bindExpr(tools, scope, node.condition),
  }
  return withCopies(bound, copies)
}

function bindTableApply(node: TableApply, [scope]: OneScope, tools: BindTools): LogicalPlan {
  const definition = tools.functions.tables.get(node.fn)
  if (definition === undefined) {
    tools.report(analyzeDiagnostic('unknown-table-function', tools.nearest(node.fn, 'tables'), node.origin))
  }
  const { params, use, outputs } = bindApplied(node, definition?.fieldParams ?? [], scope, tools, node.origin)
  const input = withStreamName(node.input, scope, use.reads.map(plainName))
  const bound: TableApply = { ...node, input, fn: definition?.name ?? node.fn, params, use, outputs }
  if (definition?.physical === 'stored-rows') return aboutStoredRows(bound, definition.fieldColumn)
  return definition?.needsStreamFields === true ? withStreamFields(bound, scope.streamFields) : bound
}

/**
 * Moves a function that describes stored rows down to the scan. Fields that an earlier stage dropped are removed from
 * its result.
 */
function aboutStoredRows(node: TableApply, fieldColumn: string | undefined): LogicalPlan {
  const { origin } = node
  const kept: Expr[] = []
  let { input } = node
  for (; input.kind === 'project' || input.kind === 'drop'; { input } = input) {
    if (fieldColumn === undefined) continue
    const isListed = disjunction(
      input.fields.map((pattern) => {
        const name = plainName(pattern)
        const isField: ValueTest =
          name === undefined
            ? { kind: 'glob', parts: pattern.parts, isFolded: false }
            : { kind: 'equals', value: name, isFolded: false, isTyped: false }
        return test(column(fieldColumn, origin), isField, origin)
      }),
      origin,
    )
    kept.push(input.kind === 'drop' ? not(isListed, origin) : isListed)
  }
  const stored: LogicalPlan = { ...node, input }
  if (kept.length === 0) return stored
  return { kind: 'filter', input: stored, predicate: conjunction(kept.toReversed(), origin), origin }
}

/** Adds the stream fields, which only the catalog knows. */
function withStreamFields(node: TableApply, streamFields: readonly string[]): TableApply {
  const { params, use } = node
  if (params === null || typeof params !== 'object' || Array.isArray(params)) return node
  const reads = [...use.reads, ...streamFields.map((name) => fieldPattern(name))]
  const members = Object.entries(params)
  return { ...node, params: Object.fromEntries([...members, ['streamFields', streamFields]]), use: { ...use, reads } }
}

const binders: { readonly [K in LogicalPlan['kind']]?: NodeBinder<Extract<LogicalPlan, { kind: K }>> } = {
  project: bindProject,
  drop: bindDrop,
  rename: bindRename,
  extend: bindExtend,
  aggregate: bindAggregate,
  window: bindWindow,
  distinct: bindDistinct,
  join: bindJoin,
  apply: bindApply,
  'table-apply': bindTableApply,
}

/**
 * Binds names, functions and types of one node. Nodes that refer to fields only in expressions have no entry in
 * `binders`.
 */
export function bindNode(node: LogicalPlan, scopes: readonly Scope[], tools: BindTools): LogicalPlan {
  const bind = binders[node.kind] as
    | ((node: LogicalPlan, scopes: readonly Scope[], tools: BindTools) => LogicalPlan)
    | undefined
  if (bind !== undefined) return bind(node, scopes, tools)
  const [scope] = scopes
  return scope === undefined ? node : mapExpressions(node, (expr) => bindExpr(tools, scope, expr))
}
