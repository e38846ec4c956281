import type { Value } from '../value.ts'

/** The same value in every row; `null` for the column of a missing field. */
export interface ConstantColumn {
  readonly kind: 'constant'
  readonly length: number
  readonly value: Value
}
