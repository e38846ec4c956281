import type { Value } from '../value.ts'

/** Values of any type, one by one, for small answers and row functions. Never part of a stored segment. */
export interface ValuesColumn {
  readonly kind: 'values'
  readonly length: number
  readonly values: readonly Value[]
}
