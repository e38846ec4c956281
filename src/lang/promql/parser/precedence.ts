import type { Precedences } from '../../kit/index.ts'

const PRECEDENCE: ReadonlyMap<string, number> = new Map([
  ['or', 1],
  ['and', 2],
  ['unless', 2],
  ...['==', '!=', '<=', '<', '>=', '>', '</', '>/'].map((op) => [op, 3] as const),
  ['+', 4],
  ['-', 4],
  ...['*', '/', '%', 'atan2'].map((op) => [op, 5] as const),
  ['^', 6],
])
/** Precedence of a sign, equal to that of a product: `-1 ^ 2` means `-(1 ^ 2)`. */
const SIGN_PRECEDENCE = 5

export function precedenceOf(op: string): number {
  return PRECEDENCE.get(op) ?? 0
}

export function isRightAssociative(op: string): boolean {
  return op === '^'
}

/** Precedences of the operators of PromQL and LogQL. */
export const promqlPrecedences: Precedences = {
  binary: precedenceOf,
  prefix: () => SIGN_PRECEDENCE,
  isRightAssociative,
}
