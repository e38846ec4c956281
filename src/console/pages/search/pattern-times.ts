import { durationWords, stepFor } from '../../app/time-words.ts'
import type { ShownRow, TimeRange } from '../../ask/requests.ts'
import { textIn, timeOf } from './row-parts.ts'
import type { Shown } from './search.ts'
import { behind } from './answers.ts'

/** Maximum number of bars of a pattern: those of the histogram, and another one that begins before the range. */
export const MAX_BARS = 61

/** Maximum length of the patterns of one bar, UTF-16 units: enough for 50 patterns of several screens each. */
export const MAX_TIMES_CHARS = 1_000_000

/** Returns the query that counts the patterns of an answer in each bar. */
export function timesQuery({ view, range }: Shown, maxPatterns: number): string {
  const step = durationWords(stepOf(range))
  return behind(view.query, `stats by (_time:${step}) pattern(_msg) limit ${maxPatterns} as patterns`)
}

/** Returns the width of a bar, ms. */
function stepOf(range: TimeRange): number {
  return stepFor(range, MAX_BARS - 1)
}

/** True if the patterns of a bar were longer than the part that was read. */
export function isCut(row: ShownRow): boolean {
  return row.some(({ wholeLength }) => wholeLength !== undefined)
}

/** Returns the row counts of each pattern by bar. Bars whose patterns were cut are left out. */
export function patternTimes(range: TimeRange, rows: readonly ShownRow[]): ReadonlyMap<string, readonly number[]> {
  const stepMs = stepOf(range)
  const firstMs = Math.floor(range.startMs / stepMs) * stepMs
  const bars = Math.ceil((range.endMs - firstMs) / stepMs)
  const found = new Map<string, number[]>()
  for (const row of rows.filter((each) => !isCut(each))) {
    const bar = Math.min(bars - 1, Math.max(0, Math.floor((Date.parse(timeOf(row) ?? '') - firstMs) / stepMs)))
    const patterns = JSON.parse(textIn(row, 'patterns') ?? '[]') as readonly { pattern: string; hits: number }[]
    for (const { pattern, hits } of patterns) {
      const counts = found.get(pattern) ?? Array.from({ length: bars }, () => 0)
      found.set(pattern, counts)
      counts[bar] = (counts[bar] ?? 0) + hits
    }
  }
  return found
}
