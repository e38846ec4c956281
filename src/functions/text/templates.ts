import { firstBy } from '../../base/index.ts'
import { compareText } from '../../data/index.ts'

/** Bytes that a template takes in a map beside its texts. */
export const TEMPLATE_BYTES = 96

/** A text whose numbers, ids, times and addresses are replaced, and how many texts have it. */
export interface Template {
  readonly pattern: string
  readonly hits: number
}

/** Returns the first `count` templates, the most frequent first, ties by code point. */
export function mostFrequent<T extends Template>(templates: Iterable<T>, count: number): T[] {
  return firstBy(templates, (a, b) => b.hits - a.hits || compareText(a.pattern, b.pattern), count)
}
