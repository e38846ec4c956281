import type { Origin } from '../../base/index.ts'
import { labelLimits, type Labels } from '../../data/index.ts'
import type { SeriesContext } from './definition.ts'
import { failSeries } from './diagnostics.ts'

/** Checks the length of a label value before the string is created. Throws `series/labels-too-long`. */
export function checkLabelChars(chars: number, fn: string, origin: Origin): void {
  if (chars > labelLimits.chars) failSeries('labels-too-long', { fn, limitChars: labelLimits.chars }, origin)
}

/**
 * Charges the memory of labels that a function created. Throws `series/too-many-labels`, `series/labels-too-long` or
 * `budget/memory`.
 */
export function madeLabels(
  labels: Labels,
  fn: string,
  origin: Origin,
  { budget }: Pick<SeriesContext, 'budget'>,
): Labels {
  const { limit, chars } = { limit: labelLimits.count, chars: labels.chars }
  if (labels.size > limit) failSeries('too-many-labels', { fn, limit }, origin)
  checkLabelChars(chars, fn, origin)
  // Covers the labels and the key by which they are compared.
  budget.charge(64 + 4 * chars)
  return labels
}
