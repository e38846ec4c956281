import type { Value } from '../value.ts'

/** A column with the same value in every row, such as `null` for a missing field. */
export interface ConstantColumn {
  readonly kind: 'constant'
  readonly length: number
  readonly value: Value
}
