import { assertNever, codePointAt, work } from '../../base/index.ts'
import type { AttributeValue } from '../../ingest/otlp/stored/index.ts'
import type { CompareOp, LiteralValue } from '../../lang/traceql/index.ts'

/** A value in an expression. `undefined` is used for a missing value. */
export type Operand = Exclude<LiteralValue, { readonly type: 'nil' }> | ArrayOperand

/** The values of a field that has several. A comparison is true if one of them satisfies it. Never empty. */
export interface ArrayOperand {
  readonly type: 'array'
  readonly items: readonly Operand[]
}

/**
 * Returns an attribute value as an operand. In TraceQL, maps, bytes, empty values and empty arrays count as missing.
 */
export function operandOf(value: AttributeValue | undefined): Operand | undefined {
  switch (value?.type) {
    case undefined:
    case 'map':
    case 'bytes':
    case 'empty':
      return undefined
    case 'double':
      return { type: 'float', value: value.value }
    case 'array':
      return arrayOf(value.value.map(operandOf))
    default:
      return value
  }
}

/** Returns the values that are not missing as one operand; `undefined` if all are missing. */
export function arrayOf(values: readonly (Operand | undefined)[]): ArrayOperand | undefined {
  work(values.length)
  const items = values.filter((value) => value !== undefined)
  return items.length === 0 ? undefined : { type: 'array', items }
}

/** Returns a number, or a duration in nanoseconds; `undefined` for other operands. */
export function numberOf(value: Operand | undefined): number | bigint | undefined {
  return value?.type === 'int' || value?.type === 'float' || value?.type === 'duration' ? value.value : undefined
}

/** Compares two strings by code point, which is the order of their UTF-8 bytes. */
function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  let i = 0
  while (i < length && a.charCodeAt(i) === b.charCodeAt(i)) i++
  return (codePointAt(a, i) ?? -1) - (codePointAt(b, i) ?? -1)
}

function holds(op: CompareOp, order: number): boolean {
  switch (op) {
    case '=':
      return order === 0
    case '!=':
      return order !== 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    default:
      return assertNever(op)
  }
}

/** Compares two numbers of any type by value. NaN is different from every number. */
export function compareNumbers(op: CompareOp, a: number | bigint, b: number | bigint): boolean {
  return holds(op, a < b ? -1 : a > b ? 1 : a == b ? 0 : NaN)
}

/**
 * Compares two values. Numbers of different types are compared by value; other values of different types satisfy no
 * comparison. For an array, one item must satisfy the comparison.
 */
export function compareOperands(op: CompareOp, a: Operand | undefined, b: Operand | undefined): boolean {
  if (a === undefined || b === undefined) return false
  if (a.type === 'array') return a.items.some((item) => compareOperands(op, item, b))
  if (b.type === 'array') return b.items.some((item) => compareOperands(op, a, item))
  const [left, right] = [numberOf(a), numberOf(b)]
  if (left !== undefined && right !== undefined) return compareNumbers(op, left, right)
  if (a.type !== b.type) return false
  if (a.type === 'string' && b.type === 'string') return holds(op, compareTexts(a.value, b.value))
  if (op === '=') return a.value === b.value
  return op === '!=' && a.value !== b.value
}

export type ArithmeticOp = '+' | '-' | '*' | '/' | '%' | '^'

function ofIntegers(op: ArithmeticOp, a: bigint, b: bigint): bigint | undefined {
  switch (op) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return b === 0n ? undefined : a / b
    case '%':
      return b === 0n ? undefined : a % b
    case '^':
      return undefined
    default:
      return assertNever(op)
  }
}

/** Returns the result of an arithmetic operation on two doubles. */
export function calculateNumbers(op: ArithmeticOp, a: number, b: number): number {
  switch (op) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    case '%':
      return a % b
    case '^':
      return a ** b
    default:
      return assertNever(op)
  }
}

/**
 * Returns the result of an arithmetic operation. Two integers give an integer: division truncates, and results wrap at
 * 64 bits. A power is a double. `undefined` if an operand is not a number, or for an integer division by 0.
 */
export function calculate(op: ArithmeticOp, a: Operand | undefined, b: Operand | undefined): Operand | undefined {
  const [left, right] = [numberOf(a), numberOf(b)]
  if (left === undefined || right === undefined) return undefined
  const isDuration = a?.type === 'duration' || b?.type === 'duration'
  if (typeof left === 'bigint' && typeof right === 'bigint' && op !== '^') {
    const value = ofIntegers(op, left, right)
    return value === undefined ? undefined : { type: isDuration ? 'duration' : 'int', value: BigInt.asIntN(64, value) }
  }
  return { type: 'float', value: calculateNumbers(op, Number(left), Number(right)) }
}

/** Returns a key for grouping: equal strings for equal values of the same type. */
export function keyOf(value: Operand | undefined): string {
  if (value === undefined) return ''
  return value.type === 'array'
    ? `[${value.items.map(keyOf).join()}]`
    : `${value.type} ${JSON.stringify(String(value.value))}`
}
