import { rangeOfWords } from '../../app/time-words.ts'
import { zone } from '../../app/settings.ts'
import type { TimeRange } from '../../ask/requests.ts'

/** Time around the range in which spans and logs of a trace are searched: it may have begun before the range. */
const AROUND_MS = 3_600_000

/** Returns the range in which a trace of a link is searched. */
export function rangeAround(from: string, to: string): TimeRange | undefined {
  const range = rangeOfWords(from, to, Date.now(), zone.value === 'utc')
  return range && { startMs: range.startMs - AROUND_MS, endMs: range.endMs + AROUND_MS }
}
