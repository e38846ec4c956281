import { firstBy, type Meter } from '../../base/index.ts'
import { compareText, type JsonText } from '../../data/index.ts'
import { rawArray } from '../json-text.ts'

/** Memory of a template's map entry without its strings, bytes. */
export const TEMPLATE_BYTES = 96

/**
 * A string whose numbers, ids, times and addresses are replaced by placeholders, and the number of strings that give
 * this template.
 */
export interface Template {
  readonly pattern: string
  readonly hits: number
}

/**
 * Returns the `count` most frequent templates, most frequent first. Equally frequent templates are ordered by code
 * point.
 */
export function mostFrequent<T extends Template>(templates: Iterable<T>, count: number): T[] {
  return firstBy(templates, (a, b) => b.hits - a.hits || compareText(a.pattern, b.pattern), count)
}

/** Formats templates as the stats function `pattern` returns them. */
export function templateList(templates: readonly Template[], meter: Meter): JsonText {
  return rawArray(templates, (template) => JSON.stringify(template), meter, 'pattern')
}
