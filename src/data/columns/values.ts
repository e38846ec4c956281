import type { Value } from '../value.ts'

/** Values of any type, one by one, for small answers and row functions. Stored segments never contain this encoding. */
export interface ValuesColumn {
  readonly kind: 'values'
  readonly length: number
  readonly values: readonly Value[]
}
