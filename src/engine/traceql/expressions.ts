import { assertNever, compileRegexp } from '../../base/index.ts'
import type { Binary, FieldExpr } from '../../lang/traceql/index.ts'
import { fieldValue, literalOperand } from './fields.ts'
import type { TraceSpan } from './model.ts'
import { calculate, compareOperands, type Operand } from './values.ts'

/** Computes the value of an expression for a span; `undefined` if a value that the expression needs is missing. */
export type Computed = (span: TraceSpan) => Operand | undefined
export type Condition = (span: TraceSpan) => boolean

const bool = (value: boolean): Operand => ({ type: 'bool', value })

function isNil(expr: FieldExpr): boolean {
  return expr.kind === 'literal' && expr.literal.type === 'nil'
}

/** Returns a test for strings that match the pattern as a whole. */
function matcherOf(pattern: string): (value: Operand | undefined) => boolean {
  const regexp = compileRegexp(`^(?:${pattern})$`, false)
  const matches = (value: Operand | undefined): boolean =>
    value?.type === 'array' ? value.items.some(matches) : value?.type === 'string' && regexp.test(value.value)
  return matches
}

function textsIn(value: Operand | undefined): boolean {
  return value?.type === 'array' ? value.items.some(textsIn) : value?.type === 'string'
}

/** Returns a test for strings that do not match the pattern. Values that are not strings fail the test. */
function mismatcherOf(pattern: string): (value: Operand | undefined) => boolean {
  const matches = matcherOf(pattern)
  const differs = (value: Operand | undefined): boolean =>
    value?.type === 'array' ? value.items.some(differs) : textsIn(value) && !matches(value)
  return differs
}

function comparison(expr: Binary): Condition {
  const { op, lhs, rhs } = expr
  if (isNil(lhs) && isNil(rhs)) return () => false
  if (isNil(lhs) || isNil(rhs)) {
    const value = computed(isNil(lhs) ? rhs : lhs)
    return op === '=' ? (span) => value(span) === undefined : (span) => value(span) !== undefined
  }
  const [left, right] = [computed(lhs), computed(rhs)]
  switch (op) {
    case '=~':
    case '!~': {
      const pattern = rhs.kind === 'literal' && rhs.literal.type === 'string' ? rhs.literal.value : ''
      const test = op === '=~' ? matcherOf(pattern) : mismatcherOf(pattern)
      return (span) => test(left(span))
    }
    case '=':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return (span) => compareOperands(op, left(span), right(span))
    case '&&': {
      const [a, b] = [truthOf(left), truthOf(right)]
      return (span) => a(span) && b(span)
    }
    case '||': {
      const [a, b] = [truthOf(left), truthOf(right)]
      return (span) => a(span) || b(span)
    }
    default:
      throw new TypeError(`${op} is no comparison`)
  }
}

function negated(arg: FieldExpr): Computed {
  const value = computed(arg)
  return (span) => {
    const found = value(span)
    return found?.type === 'bool' ? bool(!found.value) : undefined
  }
}

function minus(arg: FieldExpr): Computed {
  const value = computed(arg)
  return (span) => {
    const found = value(span)
    if (found?.type === 'float') return { type: 'float', value: -found.value }
    return found?.type === 'int' || found?.type === 'duration'
      ? { type: found.type, value: BigInt.asIntN(64, -found.value) }
      : undefined
  }
}

/** Compiles an expression, which the caller must have checked. Throws `regexp/invalid`. */
export function computed(expr: FieldExpr): Computed {
  switch (expr.kind) {
    case 'attribute':
    case 'intrinsic':
      return (span) => fieldValue(expr, span)
    case 'literal': {
      const value = literalOperand(expr.literal)
      return () => value
    }
    case 'unary':
      return expr.op === '!' ? negated(expr.arg) : minus(expr.arg)
    case 'binary': {
      const { op } = expr
      if (op === '+' || op === '-' || op === '*' || op === '/' || op === '%' || op === '^') {
        const [left, right] = [computed(expr.lhs), computed(expr.rhs)]
        return (span) => calculate(op, left(span), right(span))
      }
      const test = comparison(expr)
      return (span) => bool(test(span))
    }
    default:
      return assertNever(expr)
  }
}

/** Compiles the condition of a filter. Throws `regexp/invalid`. */
export function conditionOf(expr: FieldExpr | undefined): Condition {
  return expr === undefined ? () => true : truthOf(computed(expr))
}

/** Converts a computed value to a condition. The condition is false if the value is missing or not `true`. */
function truthOf(value: Computed): Condition {
  return (span) => {
    const found = value(span)
    return found?.type === 'bool' ? found.value : found?.type === 'array' && found.items.some(isTrue)
  }
}

function isTrue(value: Operand): boolean {
  return value.type === 'bool' && value.value
}
