import type { JsonPath, Origin } from '../../base/index.ts'
import {
  column,
  fieldPattern,
  schemaOf,
  type Assignment,
  type Expr,
  type GroupKey,
  type LogicalPlan,
  type NamedAggregate,
} from '../../plan/index.ts'
import type { Pipeline, Selector } from '../../wire/index.ts'
import { origin, type JsonLowering } from './context.ts'
import { jsonDiagnostic } from './diagnostics.ts'
import { lowerSelector, type SelectedColumn } from './processor.ts'

interface Selected extends SelectedColumn {
  readonly selector: Selector
  readonly path: JsonPath
}

function project(input: LogicalPlan, names: readonly string[], at: Origin): LogicalPlan {
  return { kind: 'project', input, fields: names.map((name) => fieldPattern(name)), origin: at }
}

function extend(input: LogicalPlan, assignments: readonly Assignment[], at: Origin): LogicalPlan {
  return assignments.length === 0 ? input : { kind: 'extend', input, assignments, origin: at }
}

function any(name: string, expr: Expr): Assignment {
  return { name, expr, type: 'any' }
}

function readsAny(expr: Expr, names: ReadonlySet<string>): boolean {
  if (expr.kind === 'column') return names.has(expr.name)
  if (expr.kind === 'call') return expr.args.some((arg) => readsAny(arg, names))
  return expr.kind === 'bucket' && readsAny(expr.arg, names)
}

/**
 * Computes several columns from the same input rows, so that the alias of one selector never changes the column that
 * another reads.
 */
function extendAtOnce(input: LogicalPlan, assignments: readonly Assignment[], at: Origin): LogicalPlan {
  const written = new Set<string>()
  let isSequential = true
  for (const a of assignments) {
    if (readsAny(a.expr, written)) isSequential = false
    written.add(a.name)
  }
  if (isSequential) return extend(input, assignments, at)
  const held = assignments.map((a, i) => ({ ...a, name: `\u0001${i}` }))
  const named = assignments.map((a, i) => ({ ...a, expr: column(`\u0001${i}`, at) }))
  const drop = held.map((a) => fieldPattern(a.name))
  return { kind: 'drop', input: extend(extend(input, held, at), named, at), fields: drop, origin: at }
}

function checkNames(selected: readonly Selected[], context: JsonLowering): void {
  const seen = new Set<string>()
  for (const { name, path } of selected) {
    if (seen.has(name)) context.diagnostics.push(jsonDiagnostic('duplicate-name', { name }, origin(path)))
    seen.add(name)
  }
}

/**
 * Returns the group keys of `groupBy`. Each entry refers to a selector with that alias, else to a selector with that
 * key, else to a column.
 */
function groupKeys(
  pipeline: Pipeline,
  selected: readonly Selected[],
  path: JsonPath,
  context: JsonLowering,
): GroupKey[] {
  const keys = new Map<string, GroupKey>()
  pipeline.groupBy?.forEach((item, index) => {
    const where: JsonPath = [...path, 'groupBy', index]
    const own = lowerSelector(item, where, context)
    // The alias of an aggregate is no group key if the same name can mean a column.
    const columns = selected.filter((s) => s.aggregate === undefined)
    const byAlias = columns.find((s) => s.selector.alias === item.key)
    const byKey = columns.filter((s) => s.selector.key === item.key)
    const ofAggregate = selected.find((s) => s.selector.alias === item.key && s.aggregate !== undefined)
    if (own.aggregate !== undefined || (ofAggregate !== undefined && byAlias === undefined && byKey.length === 0)) {
      const { name } = ofAggregate ?? own
      context.diagnostics.push(jsonDiagnostic('aggregate-as-key', { name }, origin(where)))
      return
    }
    if (!own.isPlain) {
      const name = item.alias ?? byAlias?.name ?? own.name
      keys.set(name, { name, expr: own.input, type: 'any' })
      return
    }
    // If several selectors show the column of this key, the key appears under each of their names.
    const shown = byAlias !== undefined ? [byAlias] : byKey
    for (const { name, input } of shown.length > 0 ? shown : [own]) keys.set(name, { name, expr: input, type: 'any' })
  })
  return [...keys.values()]
}

function aggregated(
  input: LogicalPlan,
  keys: readonly GroupKey[],
  selected: readonly Selected[],
  at: Origin,
): LogicalPlan {
  const aggregates: NamedAggregate[] = []
  const after: Assignment[] = []
  for (const { name, aggregate, after: steps } of selected) {
    if (aggregate === undefined) continue
    aggregates.push({ name, call: aggregate, type: 'any' })
    if (steps !== undefined) after.push(any(name, steps(column(name, at))))
  }
  return extend({ kind: 'aggregate', input, keys, aggregates, origin: at }, after, at)
}

/**
 * True if the rows have, or may have, the column `_time`. If so, window functions process the rows in time order, like
 * the pipe `total_stats`.
 */
function hasTime(input: LogicalPlan): boolean {
  const { fields, isOpen } = schemaOf(input)
  return isOpen || fields.some(({ name }) => name === '_time')
}

function windowed(input: LogicalPlan, selected: readonly Selected[], context: JsonLowering): LogicalPlan {
  let plan = input
  for (const { name, aggregate, after, selector, path } of selected) {
    if (aggregate === undefined || selector.windowSpec === undefined) continue
    const at = origin(path)
    const partitionBy = (selector.windowSpec.partitionBy ?? []).map(
      (by, i) => lowerSelector(by, [...path, 'windowSpec', 'partitionBy', i], context).input,
    )
    plan = {
      kind: 'window',
      input: plan,
      partitionBy,
      orderBy: hasTime(plan) ? [{ expr: column('_time', at), direction: 'asc' }] : [],
      calls: [{ name, type: 'any', call: aggregate, frame: 'partition' }],
      origin: at,
    }
    if (after !== undefined) plan = extend(plan, [any(name, after(column(name, at)))], at)
  }
  return plan
}

/** Lowers selectors and `groupBy` to a plan. If both are missing, the rows stay unchanged. */
export function lowerSelection(
  input: LogicalPlan,
  pipeline: Pipeline,
  path: JsonPath,
  context: JsonLowering,
): LogicalPlan {
  const at = origin(path)
  const selected = (pipeline.selectors ?? []).map((selector, index) => {
    const where: JsonPath = [...path, 'selectors', index]
    return { ...lowerSelector(selector, where, context), selector, path: where }
  })
  checkNames(selected, context)
  const isWindow = (s: Selected): boolean => s.selector.windowSpec !== undefined
  const plain = selected.filter((s) => !isWindow(s))
  const isGrouped = (pipeline.groupBy?.length ?? 0) > 0 || plain.some((s) => s.aggregate !== undefined)
  if (!isGrouped && selected.length === 0) return input
  const names = selected.map((s) => s.name)
  if (!isGrouped) {
    const made = plain.filter((s) => !s.isPlain || s.name !== s.selector.key).map((s) => any(s.name, s.input))
    return project(extendAtOnce(windowed(input, selected, context), made, at), names, at)
  }
  const keys = groupKeys(pipeline, plain, path, context)
  for (const { aggregate, name, path: where } of plain) {
    if (aggregate === undefined && !keys.some((key) => key.name === name)) {
      context.diagnostics.push(jsonDiagnostic('not-grouped', { name }, origin(where)))
    }
  }
  const grouped = windowed(aggregated(input, keys, plain, at), selected, context)
  return names.length === 0 ? grouped : project(grouped, names, at)
}
