import { rangeOfWords } from '../../app/time-words.ts'
import { zone } from '../../app/settings.ts'
import type { TimeRange } from '../../ask/requests.ts'

/** Time added on both sides of the range when a trace and its logs are read, ms: the trace may have begun earlier. */
const AROUND_MS = 3_600_000

/** Returns the extended range in which to read a trace. */
export function rangeAround(from: string, to: string): TimeRange | undefined {
  const range = rangeOfWords(from, to, Date.now(), zone.value === 'utc')
  return range && { startMs: range.startMs - AROUND_MS, endMs: range.endMs + AROUND_MS }
}
