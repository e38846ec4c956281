import type { LogqlBinaryOp } from './ast.ts'

/** Returns the result of an operation on two numbers. A comparison returns 1 or 0; division by zero returns NaN. */
export function fold(op: LogqlBinaryOp, a: number, b: number): number {
  switch (op) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return b === 0 ? Number.NaN : a / b
    case '%':
      return a % b
    case '^':
      return a ** b
    case '==':
      return Number(a === b)
    case '!=':
      return Number(a !== b)
    case '>':
      return Number(a > b)
    case '>=':
      return Number(a >= b)
    case '<':
      return Number(a < b)
    case '<=':
      return Number(a <= b)
    case 'and':
    case 'or':
    case 'unless':
      throw new TypeError(`${op} takes no numbers`)
  }
}
