import { invariant } from '../../../base/index.ts'
import { bucketValue, compileTest, type Value } from '../../../data/index.ts'
import type { Functions } from '../../../functions/index.ts'
import type { Expr } from '../../../plan/index.ts'

/** A function that computes an expression for one row from the values of its columns. */
export type ExprEvaluator = (values: readonly Value[]) => Value

/** Compiles an expression to a function. `columns` names the columns in the order of the function's values. */
export function compileExpr(expr: Expr, columns: readonly string[], functions: Functions): ExprEvaluator {
  const recurse = (inner: Expr): ExprEvaluator => compileExpr(inner, columns, functions)
  switch (expr.kind) {
    case 'column': {
      const at = columns.indexOf(expr.name)
      invariant(at !== -1, `the column ${expr.name} is not given`)
      return (values) => values[at] ?? null
    }
    case 'literal':
      return () => expr.value
    case 'and': {
      const args = expr.args.map(recurse)
      return (values) => args.every((arg) => arg(values) === true)
    }
    case 'or': {
      const args = expr.args.map(recurse)
      return (values) => args.some((arg) => arg(values) === true)
    }
    case 'not': {
      const arg = recurse(expr.arg)
      return (values) => arg(values) !== true
    }
    case 'test': {
      const arg = recurse(expr.arg)
      const holds = compileTest(expr.test)
      return (values) => holds(arg(values))
    }
    case 'call': {
      const definition = functions.scalar.get(expr.name)
      invariant(definition !== undefined, `there is no function ${expr.name}`)
      const args = expr.args.map(recurse)
      return (values) => definition.evaluate(args.map((arg) => arg(values)))
    }
    case 'case': {
      const branches = expr.branches.map((b) => ({ when: recurse(b.when), value: recurse(b.value) }))
      const otherwise = recurse(expr.otherwise)
      return (values) => (branches.find((b) => b.when(values) === true)?.value ?? otherwise)(values)
    }
    case 'bucket': {
      const arg = recurse(expr.arg)
      return (values) => bucketValue(arg(values), expr.bucket)
    }
    default:
      invariant(false, `\`${expr.kind}\` is not evaluated on its own`)
  }
}
