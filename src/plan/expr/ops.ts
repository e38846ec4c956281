import { present, work } from '../../base/index.ts'
import { matchesField } from '../field-pattern.ts'
import type { AnyField, Expr, ExprKind, ExprOf } from './index.ts'

export interface ExprOps<E extends Expr> {
  readonly children: (expr: E) => readonly Expr[]
  readonly withChildren: (expr: E, children: readonly Expr[]) => E
}

function leaf<E extends Expr>(): ExprOps<E> {
  return { children: () => [], withChildren: (expr) => expr }
}

export const exprOps: { readonly [K in ExprKind]: ExprOps<ExprOf<K>> } = {
  column: leaf(),
  literal: leaf(),
  and: { children: (e) => e.args, withChildren: (e, args) => ({ ...e, args }) },
  or: { children: (e) => e.args, withChildren: (e, args) => ({ ...e, args }) },
  not: { children: (e) => [e.arg], withChildren: (e, [arg]) => ({ ...e, arg: present(arg) }) },
  test: { children: (e) => [e.arg], withChildren: (e, [arg]) => ({ ...e, arg: present(arg) }) },
  'any-field': leaf(),
  call: { children: (e) => e.args, withChildren: (e, args) => ({ ...e, args }) },
  case: {
    children: (e) => [...e.branches.flatMap((b) => [b.when, b.value]), e.otherwise],
    withChildren: (e, children) => ({
      ...e,
      branches: e.branches.map((_, i) => ({
        when: present(children[2 * i]),
        value: present(children[2 * i + 1]),
      })),
      otherwise: present(children.at(-1)),
    }),
  },
  bucket: { children: (e) => [e.arg], withChildren: (e, [arg]) => ({ ...e, arg: present(arg) }) },
  'in-subquery': { children: (e) => [e.arg], withChildren: (e, [arg]) => ({ ...e, arg: present(arg) }) },
  columns: leaf(),
  'field-filter': leaf(),
  'implicit-and': { children: (e) => e.args, withChildren: (e, args) => ({ ...e, args }) },
  'stream-filter': leaf(),
}

/** Cost of visiting one expression, in units of `work`. Charging it makes planning interruptible. */
const EXPR_WORK = 5

export function exprChildren(expr: Expr): readonly Expr[] {
  work(EXPR_WORK)
  return (exprOps[expr.kind] as ExprOps<Expr>).children(expr)
}

/** Replaces the children of an expression; returns the same object if no child changed. */
export function mapExprChildren(expr: Expr, map: (child: Expr) => Expr): Expr {
  work(EXPR_WORK)
  const ops = exprOps[expr.kind] as ExprOps<Expr>
  const children = ops.children(expr)
  let isChanged = false
  const mapped = children.map((child) => {
    const next = map(child)
    if (next !== child) isChanged = true
    return next
  })
  return isChanged ? ops.withChildren(expr, mapped) : expr
}

/** Rewrites an expression bottom-up: the children of each node before the node. */
export function rewriteExpr(expr: Expr, rewrite: (expr: Expr) => Expr): Expr {
  return rewrite(mapExprChildren(expr, (child) => rewriteExpr(child, rewrite)))
}

/** Visits an expression and its descendants, parents first. It does not visit the plans of subqueries. */
export function visitExpr(expr: Expr, visit: (expr: Expr) => void): void {
  visit(expr)
  for (const child of exprChildren(expr)) visitExpr(child, visit)
}

/** True if a filter on fields by pattern includes the field of this name. */
export function testsField({ fields, except }: Pick<AnyField, 'fields' | 'except'>, name: string): boolean {
  return matchesField(fields, name) && !except.includes(name)
}

/** Returns the names of the columns that an expression reads; `undefined` if it reads fields by pattern. */
export function columnsOf(expr: Expr): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  let isOpen = false
  visitExpr(expr, (e) => {
    if (e.kind === 'column') names.add(e.name)
    else if (e.kind === 'any-field' || e.kind === 'columns') isOpen = true
  })
  return isOpen ? undefined : names
}
