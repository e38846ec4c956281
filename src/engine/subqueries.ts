import { ENTRY_BYTES, ITEMS_PER_CHECKPOINT, SluiceError, type Meter } from '../base/index.ts'
import {
  isEmptyValue,
  toText,
  valueAt,
  valueBytes,
  type RecordBatch,
  type Value,
  type ValueTest,
} from '../data/index.ts'
import {
  mapExprChildren,
  mapExpressions,
  mapInputs,
  subqueries,
  test,
  visit,
  type Expr,
  type InSubquery,
  type LogicalPlan,
} from '../plan/index.ts'
import { engineDiagnostic } from './diagnostics.ts'

/** Runs a plan that contains no subqueries. */
export type RunPlan = (plan: LogicalPlan) => AsyncIterable<RecordBatch>

export function hasSubqueries(plan: LogicalPlan): boolean {
  let found = false
  visit(plan, (node) => {
    if (subqueries(node).length > 0) found = true
  })
  return found
}

/**
 * Returns the distinct values of the only column, in order of appearance. Missing values count as `''` if
 * `listsMissing`; otherwise missing values and `''` are skipped.
 */
async function valuesOf(
  expr: InSubquery,
  plan: LogicalPlan,
  run: RunPlan,
  limit: number,
  meter: Pick<Meter, 'charge' | 'checkpoint'>,
): Promise<readonly Value[]> {
  const values = new Map<string, Value>()
  for await (const batch of run(plan)) {
    const [column] = batch.columns
    if (column === undefined) continue
    for (let i = 0; i < batch.rowCount; i++) {
      if (i % ITEMS_PER_CHECKPOINT === ITEMS_PER_CHECKPOINT - 1) meter.checkpoint()
      const found = valueAt(column, i)
      if (isEmptyValue(found) && !expr.listsMissing) continue
      const value = found ?? ''
      const key = `${typeof value} ${toText(value)}`
      if (values.has(key)) continue
      // Twice the value: the value and its key are stored here, and again in the test.
      meter.charge(ENTRY_BYTES + 2 * valueBytes(value))
      values.set(key, value)
      if (values.size > limit) throw new SluiceError([engineDiagnostic('subquery-too-large', { limit }, expr.origin)])
    }
  }
  return [...values.values()]
}

function closedTest(expr: InSubquery, values: readonly Value[]): Expr {
  const { arg, mode, isFolded, origin } = expr
  // `isFolded` is set by the native dialect, which ignores case and also compares numbers by value.
  const closed: ValueTest =
    mode === 'in'
      ? { kind: 'in', values, isFolded, isTyped: isFolded }
      : { kind: mode, phrases: values.map(toText), isFolded }
  return arg.kind === 'any-field' ? { ...arg, test: closed } : test(arg, closed, origin)
}

/**
 * Runs the subqueries of a plan, innermost first, and replaces each by a test on its values. Subqueries with equal
 * plans run once.
 */
export async function resolveSubqueries(
  plan: LogicalPlan,
  run: RunPlan,
  limit: number,
  meter: Pick<Meter, 'charge' | 'checkpoint'>,
): Promise<LogicalPlan> {
  if (!hasSubqueries(plan)) return plan
  const found = new Map<LogicalPlan, InSubquery>()
  const collect = (expr: Expr): Expr => {
    if (expr.kind === 'in-subquery') found.set(expr.plan, expr)
    return mapExprChildren(expr, collect)
  }
  const walk = (node: LogicalPlan): LogicalPlan => {
    mapExpressions(node, collect)
    return mapInputs(node, walk)
  }
  walk(plan)
  const values = new Map<LogicalPlan, readonly Value[]>()
  for (const [inner, expr] of found) {
    const closed = await resolveSubqueries(inner, run, limit, meter)
    values.set(inner, await valuesOf(expr, closed, run, limit, meter))
  }
  const replace = (expr: Expr): Expr => {
    const next = mapExprChildren(expr, replace)
    if (next.kind !== 'in-subquery') return next
    return closedTest(next, values.get(next.plan) ?? [])
  }
  const rebuild = (node: LogicalPlan): LogicalPlan => mapInputs(mapExpressions(node, replace), rebuild)
  return rebuild(plan)
}
