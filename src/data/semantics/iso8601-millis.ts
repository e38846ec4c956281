import { formatRfc3339, parseRfc3339 } from '../../base/index.ts'

/**
 * Returns whether a string is a UTC time with exactly three fraction digits, in the range of nanosecond times, so that
 * it can be stored as a time and printed unchanged.
 */
export function isIso8601Millis(text: string): boolean {
  if (text.length !== 24) return false
  const ns = parseRfc3339(text)
  return ns !== undefined && `${formatRfc3339(ns).slice(0, 23)}Z` === text
}
