import type { Expr } from './expr/index.ts'
import { mapExprChildren, visitExpr } from './expr/ops.ts'
import type { LogicalPlan } from './kinds.ts'
import { opsOf } from './nodes/index.ts'

/**
 * Returns the inputs of a node. Only this file recurses over plans. Its rewrite functions return the same object if
 * nothing changed.
 */

export function inputs(plan: LogicalPlan): readonly LogicalPlan[] {
  return opsOf(plan).inputs(plan)
}

export function mapInputs(plan: LogicalPlan, map: (input: LogicalPlan) => LogicalPlan): LogicalPlan {
  const ops = opsOf(plan)
  const old = ops.inputs(plan)
  let isChanged = false
  const mapped = old.map((input) => {
    const next = map(input)
    if (next !== input) isChanged = true
    return next
  })
  return isChanged ? ops.withInputs(plan, mapped) : plan
}

export function expressions(plan: LogicalPlan): readonly Expr[] {
  return opsOf(plan).expressions(plan)
}

/**
 * Rewrites the node's own expressions. `map` receives the root of each; use `rewriteExpr` inside it for nested ones.
 */
export function mapExpressions(plan: LogicalPlan, map: (expr: Expr) => Expr): LogicalPlan {
  const ops = opsOf(plan)
  const old = ops.expressions(plan)
  let isChanged = false
  const mapped = old.map((expr) => {
    const next = map(expr)
    if (next !== expr) isChanged = true
    return next
  })
  return isChanged ? ops.withExpressions(plan, mapped) : plan
}

/** Cached per node, because a filter can have thousands of conditions and every rule needs the result. */
const knownSubqueries = new WeakMap<LogicalPlan, readonly LogicalPlan[]>()

/** Returns the plans inside the expressions of a node: the subqueries of `in (…)`. */
export function subqueries(plan: LogicalPlan): readonly LogicalPlan[] {
  let found = knownSubqueries.get(plan)
  if (found === undefined) knownSubqueries.set(plan, (found = findSubqueries(plan)))
  return found
}

function findSubqueries(plan: LogicalPlan): readonly LogicalPlan[] {
  const found: LogicalPlan[] = []
  for (const root of expressions(plan)) {
    visitExpr(root, (expr) => {
      if (expr.kind === 'in-subquery') found.push(expr.plan)
    })
  }
  return found
}

function mapSubqueryPlans(expr: Expr, map: (plan: LogicalPlan) => LogicalPlan): Expr {
  const inner = mapExprChildren(expr, (child) => mapSubqueryPlans(child, map))
  if (inner.kind !== 'in-subquery') return inner
  const plan = map(inner.plan)
  return plan === inner.plan ? inner : { ...inner, plan }
}

export function mapSubqueries(plan: LogicalPlan, map: (plan: LogicalPlan) => LogicalPlan): LogicalPlan {
  return subqueries(plan).length === 0 ? plan : mapExpressions(plan, (expr) => mapSubqueryPlans(expr, map))
}

/** Rewrites a plan bottom-up: inputs and subqueries before the node. */
export function rewriteUp(plan: LogicalPlan, rewrite: (plan: LogicalPlan) => LogicalPlan): LogicalPlan {
  const recurse = (input: LogicalPlan): LogicalPlan => rewriteUp(input, rewrite)
  return rewrite(mapSubqueries(mapInputs(plan, recurse), recurse))
}

/** Rewrites a plan top-down: the node before its inputs and subqueries. */
export function rewriteDown(plan: LogicalPlan, rewrite: (plan: LogicalPlan) => LogicalPlan): LogicalPlan {
  const recurse = (input: LogicalPlan): LogicalPlan => rewriteDown(input, rewrite)
  const next = rewrite(plan)
  return mapSubqueries(mapInputs(next, recurse), recurse)
}

/** Visits every node, subqueries included, parents first. */
export function visit(plan: LogicalPlan, see: (plan: LogicalPlan) => void): void {
  see(plan)
  for (const input of inputs(plan)) visit(input, see)
  for (const subquery of subqueries(plan)) visit(subquery, see)
}

/** True if some scan, also in a subquery, has a guard: the table may contain rows that the caller must not see. */
export function hidesRows(plan: LogicalPlan): boolean {
  if (plan.kind === 'scan' && plan.guard !== undefined) return true
  return inputs(plan).some(hidesRows) || subqueries(plan).some(hidesRows)
}

/** True if each row of the answer represents a group of records. */
export function isGrouped(plan: LogicalPlan): boolean {
  if (plan.kind === 'aggregate' || plan.kind === 'distinct') return true
  if (plan.kind === 'table-apply' && !plan.keepsInputFields) return true
  const [first, ...more] = plan.kind === 'join' ? [plan.left] : inputs(plan)
  return first !== undefined && isGrouped(first) && more.every(isGrouped)
}
