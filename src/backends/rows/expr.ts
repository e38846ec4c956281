import { InvariantError } from '../../base/index.ts'
import type { Row, Value } from '../../data/index.ts'
import type { Functions } from '../../functions/index.ts'
import { matchesField, type Expr } from '../../plan/index.ts'
import { bucketed } from './bucket.ts'
import { passes } from './match.ts'

/** True if a row matches a condition. */
export function holds(expr: Expr, row: Row, functions: Functions): boolean {
  switch (expr.kind) {
    case 'and':
      return expr.args.every((arg) => holds(arg, row, functions))
    case 'or':
      return expr.args.some((arg) => holds(arg, row, functions))
    case 'not':
      return !holds(expr.arg, row, functions)
    case 'test':
      return passes(valueOfExpr(expr.arg, row, functions), expr.test)
    case 'any-field':
      return [...row].some(
        ([name, value]) =>
          value !== null && matchesField(expr.fields, name) && !expr.except.includes(name) && passes(value, expr.test),
      )
    default:
      return valueOfExpr(expr, row, functions) === true
  }
}

export function valueOfExpr(expr: Expr, row: Row, functions: Functions): Value {
  switch (expr.kind) {
    case 'column':
      return row.get(expr.name) ?? null
    case 'literal':
      return expr.value
    case 'call': {
      const fn = functions.scalar.get(expr.name)
      if (fn === undefined) throw new InvariantError(`there is no function ${expr.name}`)
      return fn.evaluate(expr.args.map((arg) => valueOfExpr(arg, row, functions)))
    }
    case 'case': {
      const branch = expr.branches.find(({ when }) => holds(when, row, functions))
      return valueOfExpr(branch === undefined ? expr.otherwise : branch.value, row, functions)
    }
    case 'bucket':
      return bucketed(valueOfExpr(expr.arg, row, functions), expr.bucket)
    case 'and':
    case 'or':
    case 'not':
    case 'test':
    case 'any-field':
      return holds(expr, row, functions)
    case 'columns':
    case 'in-subquery':
    case 'field-filter':
    case 'implicit-and':
    case 'stream-filter':
      throw new InvariantError(`${expr.kind} must not reach a backend here`)
  }
}
