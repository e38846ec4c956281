import { atan2, pow } from '../../data/elementary/index.ts'
import type { SeriesBinaryOp } from '../../plan/series/index.ts'

export type ElementOp = Exclude<SeriesBinaryOp, 'and' | 'or' | 'unless'>

/** Functions of the binary operators. Comparisons return 1 or 0. */
export const floatOps: { readonly [K in ElementOp]: (a: number, b: number) => number } = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  div: (a, b) => (b === 0 ? NaN : a / b),
  mod: (a, b) => (b === 0 ? NaN : a % b),
  '^': pow,
  atan2,
  '==': (a, b) => (a === b ? 1 : 0),
  '!=': (a, b) => (a === b ? 0 : 1),
  '>': (a, b) => (a > b ? 1 : 0),
  '<': (a, b) => (a < b ? 1 : 0),
  '>=': (a, b) => (a >= b ? 1 : 0),
  '<=': (a, b) => (a <= b ? 1 : 0),
  '</': () => NaN,
  '>/': () => NaN,
}

/** Returns the greater value. If one value is +Inf, returns +Inf, even if the other is NaN. */
export function greater(a: number, b: number): number {
  return a === Infinity || b === Infinity ? Infinity : Math.max(a, b)
}

/** Returns the lesser value. If one value is −Inf, returns −Inf, even if the other is NaN. */
export function lesser(a: number, b: number): number {
  return a === -Infinity || b === -Infinity ? -Infinity : Math.min(a, b)
}
