import { nearestNames, type JsonPath } from '../../base/index.ts'
import { parseNumber } from '../../data/index.ts'
import { call, column, literal, type Assignment, type Expr } from '../../plan/index.ts'
import { mathOperands, type MathExpression } from '../../wire/index.ts'
import { origin, type JsonLowering } from './context.ts'
import { jsonDiagnostic } from './diagnostics.ts'

/** Maps each `math_operator` of a JSON body to the scalar function that computes it. */
export const mathOperators: ReadonlyMap<string, string> = new Map([
  ['+', 'add'],
  ['add', 'add'],
  ['plus', 'add'],
  ['-', 'sub'],
  ['subtract', 'sub'],
  ['minus', 'sub'],
  ['*', 'mul'],
  ['multiply', 'mul'],
  ['times', 'mul'],
  ['/', 'div'],
  ['divide', 'div'],
  ['%', 'mod'],
  ['modulo', 'mod'],
  ['mod', 'mod'],
  ['^', 'pow'],
  ['power', 'pow'],
  ['pow', 'pow'],
])

function fault(reason: string, path: JsonPath, context: JsonLowering): Expr {
  context.diagnostics.push(jsonDiagnostic('bad-math', { reason }, origin(path)))
  return literal(null, origin(path))
}

function lowerItem(item: MathExpression, path: JsonPath, context: JsonLowering): Expr {
  const at = origin(path)
  if (item.math_operator !== undefined) {
    const name = item.math_operator.trim().toLowerCase()
    const fn = mathOperators.get(name)
    const operands = mathOperands(item)
    if (fn === undefined) {
      const known = [...mathOperators.keys()]
      const near = nearestNames(name, known)
      const where = origin([...path, 'math_operator'])
      context.diagnostics.push(
        jsonDiagnostic('unknown-word', { what: 'math operator', name: item.math_operator, near, known }, where),
      )
      return literal(null, at)
    }
    if (operands.length < 2) return fault(`\`${item.math_operator}\` needs two operands`, path, context)
    return operands
      .map(({ path: inner, operand }) => lowerItem(operand, [...path, ...inner], context))
      .reduce((left, right) => call(fn, [left, right], at))
  }
  if (item.column?.key !== undefined) return column(item.column.key, at)
  if (item.scalar !== undefined) {
    const value = parseNumber(item.scalar)
    return value === undefined
      ? fault(`\`${item.scalar}\` is not a number`, [...path, 'scalar'], context)
      : literal(value, at)
  }
  const operands = mathOperands(item)
  const [only] = operands
  if (operands.length === 1 && only !== undefined) return lowerItem(only.operand, [...path, ...only.path], context)
  return fault('an item needs a `math_operator`, a `column` or a `scalar`', path, context)
}

/** Lowers one item of `mathExpression` to an assignment: an expression and the name of its result. */
export function lowerMathExpression(item: MathExpression, path: JsonPath, context: JsonLowering): Assignment {
  if (item.alias === undefined) fault('its result needs an `alias`', path, context)
  return { name: item.alias ?? '', expr: lowerItem(item, path, context), type: 'number' }
}
