import { span, type Span } from '../../base/index.ts'
import { seriesSignatures } from '../../plan/index.ts'
import type { Aggregation, BinaryOp, Call, NumberLiteral, Paren, PromqlExpr, StringLiteral } from './ast.ts'
import { lengthOf } from './build-duration.ts'
import { makeBinary, type BinaryModifiers } from './build.ts'

/** Span of nodes that do not come from a text. */
export const NO_PLACE: Span = span(0, 0)

export function number(value: number, isDuration = false): NumberLiteral {
  return { kind: 'number', valueType: 'scalar', value, isDuration, span: NO_PLACE }
}

export function text(value: string): StringLiteral {
  return { kind: 'string', valueType: 'string', value, span: NO_PLACE }
}

export function paren(expr: PromqlExpr): Paren {
  return { kind: 'paren', valueType: expr.valueType, expr, span: NO_PLACE }
}

/** True if the number is printed with a sign. */
function isSigned(value: number): boolean {
  return value < 0 || value === Infinity || Object.is(value, -0)
}

/** Returns an expression; adds parentheses if it would parse differently next to an operator, a range or a modifier. */
export function closed(expr: PromqlExpr): PromqlExpr {
  const isOpen = expr.kind === 'binary' || expr.kind === 'unary' || (expr.kind === 'number' && isSigned(expr.value))
  return isOpen ? paren(expr) : expr
}

export function binary(op: BinaryOp, modifiers: BinaryModifiers, lhs: PromqlExpr, rhs: PromqlExpr): PromqlExpr {
  return makeBinary(op, modifiers, closed(lhs), closed(rhs), NO_PLACE)
}

export function call(name: string, args: readonly PromqlExpr[]): Call {
  return { kind: 'call', valueType: seriesSignatures.get(name)?.returns ?? 'vector', name, args, span: NO_PLACE }
}

export function aggregation(
  op: string,
  expr: PromqlExpr,
  param: PromqlExpr | undefined,
  grouping: readonly string[],
  isWithout: boolean,
): Aggregation {
  return { kind: 'aggregation', valueType: 'vector', op, expr, param, grouping, isWithout, span: NO_PLACE }
}

/**
 * Adds a range to an expression. A plain selector becomes a range selector; any other expression becomes a subquery
 * with the default step.
 */
export function withWindow(expr: PromqlExpr, seconds: number): PromqlExpr {
  const isDuration = Number.isInteger(seconds * 1000)
  const literal = { kind: 'duration-number', seconds, isDuration, isWrapped: false, span: NO_PLACE } as const
  const { ms: rangeMs, expr: rangeExpr } = lengthOf(literal)
  const isPlain = expr.kind === 'vector-selector' && expr.offsetMs === 0 && !expr.offsetExpr && !expr.at
  if (isPlain) {
    return { kind: 'matrix-selector', valueType: 'matrix', selector: expr, rangeMs, rangeExpr, span: NO_PLACE }
  }
  return {
    kind: 'subquery',
    valueType: 'matrix',
    expr: closed(expr),
    rangeMs,
    rangeExpr,
    stepMs: 0,
    stepExpr: undefined,
    offsetMs: 0,
    offsetExpr: undefined,
    at: undefined,
    span: NO_PLACE,
  }
}
