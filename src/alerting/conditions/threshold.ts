import type { ThresholdOperator } from '../../wire/index.ts'
import type { Value } from './value.ts'

type Test = (value: number, low: number, high: number) => boolean

interface Operator {
  /** Number of operands that the operator compares with. */
  readonly values: 1 | 2
  readonly holds: Test
}

/** All comparisons with NaN are false, except `neq`, which is true (M21). */
const operators = {
  gt: { values: 1, holds: (value, low) => value > low },
  gte: { values: 1, holds: (value, low) => value >= low },
  lt: { values: 1, holds: (value, low) => value < low },
  lte: { values: 1, holds: (value, low) => value <= low },
  eq: { values: 1, holds: (value, low) => value === low },
  neq: { values: 1, holds: (value, low) => value !== low },
  within_range: { values: 2, holds: (value, low, high) => value > low && value < high },
  within_range_included: { values: 2, holds: (value, low, high) => value >= low && value <= high },
  outside_range: { values: 2, holds: (value, low, high) => value < low || value > high },
  outside_range_included: { values: 2, holds: (value, low, high) => value <= low || value >= high },
} as const satisfies Readonly<Record<ThresholdOperator, Operator>>

export interface ThresholdComparison {
  readonly operator: ThresholdOperator
  readonly values: readonly number[]
}

/** One condition on the value of an instance. */
export interface Threshold extends ThresholdComparison {
  /** Condition that ends an alert; without it the alert ends when `operator` no longer holds. */
  readonly resolve?: ThresholdComparison | undefined
}

/** True if the number of values fits the operator, and a range is in order. */
export function isComplete({ operator, values }: ThresholdComparison): boolean {
  const [low = 0, high = low] = values
  return values.length === operators[operator].values && low <= high
}

function holds({ operator, values }: ThresholdComparison, value: number): boolean {
  const [low = 0, high = low] = values
  return operators[operator].holds(value, low, high)
}

/**
 * True if a value breaches a threshold. An instance that is already alerting keeps breaching until the resolve
 * condition, if there is one, holds (M25). A missing value never breaches.
 */
export function breaches(threshold: Threshold, value: Value, isAlerting: boolean): boolean {
  if (value === undefined) return false
  if (isAlerting && threshold.resolve !== undefined) return !holds(threshold.resolve, value)
  return holds(threshold, value)
}
