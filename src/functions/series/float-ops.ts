import type { SeriesBinaryOp } from '../../plan/series/index.ts'

export type ElementOp = Exclude<SeriesBinaryOp, 'and' | 'or' | 'unless'>

/** Of two floats: the result of arithmetic, or 1 and 0 for comparisons. */
export const floatOps: { readonly [K in ElementOp]: (a: number, b: number) => number } = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '^': power,
  atan2: Math.atan2,
  '==': (a, b) => (a === b ? 1 : 0),
  '!=': (a, b) => (a === b ? 0 : 1),
  '>': (a, b) => (a > b ? 1 : 0),
  '<': (a, b) => (a < b ? 1 : 0),
  '>=': (a, b) => (a >= b ? 1 : 0),
  '<=': (a, b) => (a <= b ? 1 : 0),
  '</': () => NaN,
  '>/': () => NaN,
}

/** The greater one; an infinity that wins does so also over NaN. */
export function greater(a: number, b: number): number {
  return a === Infinity || b === Infinity ? Infinity : Math.max(a, b)
}

/** The lesser one; an infinity that wins does so also over NaN. */
export function lesser(a: number, b: number): number {
  return a === -Infinity || b === -Infinity ? -Infinity : Math.min(a, b)
}

/** As the C library: a base of 1, and an exponent of 0, give 1 whatever the other is. */
function power(a: number, b: number): number {
  if (a === 1) return 1
  if (a === -1 && (b === Infinity || b === -Infinity)) return 1
  return a ** b
}
