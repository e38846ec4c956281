import { firstBy, type Meter } from '../../base/index.ts'
import { compareText, type JsonText } from '../../data/index.ts'
import { rawArray } from '../json-text.ts'

/** Bytes that a map entry of a template takes, without strings. */
export const TEMPLATE_BYTES = 96

/**
 * A string with numbers, ids, times and addresses replaced by placeholders, and the number of strings that become it.
 */
export interface Template {
  readonly pattern: string
  readonly hits: number
}

/** Returns the `count` most frequent templates, most frequent first; ties by code point. */
export function mostFrequent<T extends Template>(templates: Iterable<T>, count: number): T[] {
  return firstBy(templates, (a, b) => b.hits - a.hits || compareText(a.pattern, b.pattern), count)
}

/** Formats templates as the stats function `pattern` returns them. */
export function templateList(templates: readonly Template[], meter: Meter): JsonText {
  return rawArray(templates, (template) => JSON.stringify(template), meter, 'pattern')
}
