import type { BinaryOp, LiteralValue } from './ast.ts'

function int(value: bigint): LiteralValue {
  return { type: 'int', value: BigInt.asIntN(64, value) }
}

/**
 * Returns the value of a sign or negation applied to a constant; `undefined` if the operator does not apply to its
 * type.
 */
export function foldUnary(op: '!' | '-', literal: LiteralValue): LiteralValue | undefined {
  if (op === '!') return literal.type === 'bool' ? { type: 'bool', value: !literal.value } : undefined
  if (literal.type === 'float') return { type: 'float', value: -literal.value }
  if (literal.type !== 'int' && literal.type !== 'duration') return undefined
  return { type: literal.type, value: BigInt.asIntN(64, -literal.value) }
}

function foldInts(op: BinaryOp, a: bigint, b: bigint): LiteralValue | undefined {
  switch (op) {
    case '+':
      return int(a + b)
    case '-':
      return int(a - b)
    case '*':
      return int(a * b)
    case '/':
      return b === 0n ? undefined : int(a / b)
    case '%':
      return b === 0n ? undefined : int(a % b)
    default:
      return foldFloats(op, Number(a), Number(b))
  }
}

function foldFloats(op: BinaryOp, a: number, b: number): LiteralValue | undefined {
  const results: Partial<Record<BinaryOp, number>> = {
    '+': a + b,
    '-': a - b,
    '*': a * b,
    '/': a / b,
    '%': a % b,
    '^': a ** b,
  }
  const value = results[op]
  // A number that is not finite has no text that parses to the same value.
  return value === undefined || !Number.isFinite(value) ? undefined : { type: 'float', value }
}

function plainNumber(literal: LiteralValue): number | undefined {
  return literal.type === 'int' || literal.type === 'float' ? Number(literal.value) : undefined
}

/**
 * Returns the value of arithmetic on two plain numbers; `undefined` for other operands, which are evaluated when the
 * query runs.
 */
export function foldBinary(op: BinaryOp, lhs: LiteralValue, rhs: LiteralValue): LiteralValue | undefined {
  if (lhs.type === 'int' && rhs.type === 'int') return foldInts(op, lhs.value, rhs.value)
  const [a, b] = [plainNumber(lhs), plainNumber(rhs)]
  return a === undefined || b === undefined ? undefined : foldFloats(op, a, b)
}
