import { formatRfc3339, parseRfc3339 } from '../../base/index.ts'

/**
 * Whether a text is a time in UTC with exactly three fraction digits, within the range of nanosecond times, so that a
 * stored time returns it unchanged.
 */
export function isIso8601Millis(text: string): boolean {
  if (text.length !== 24) return false
  const ns = parseRfc3339(text)
  return ns !== undefined && `${formatRfc3339(ns).slice(0, 23)}Z` === text
}
