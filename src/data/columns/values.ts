import type { Value } from '../value.ts'

/** Any values, one by one: what small answers and row functions use. Never part of a stored segment. */
export interface ValuesColumn {
  readonly kind: 'values'
  readonly length: number
  readonly values: readonly Value[]
}
