import type { TimeRange } from '../ask/requests.ts'

/** Lengths of time units, ms. Months and years have an average length, which is precise enough for ranges. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
  ['M', 2_629_746_000],
  ['y', 31_556_952_000],
])

const RELATIVE = /^now(?:([+-])(\d+)([smhdwMy]))?(?:\/([mhdwMy]))?$/
const SHORT = /^-(\d+)([smhdwMy])$/

/** Returns the start of the calendar unit that contains a time, in the browser's time zone or in UTC. */
function floorTo(ms: number, unit: string, isUtc: boolean): number {
  const shift = isUtc ? 0 : new Date(ms).getTimezoneOffset() * 60_000
  const local = new Date(ms - shift)
  if (unit === 'm') local.setUTCSeconds(0, 0)
  if (unit === 'h') local.setUTCMinutes(0, 0, 0)
  if ('dwMy'.includes(unit)) local.setUTCHours(0, 0, 0, 0)
  if (unit === 'w') local.setUTCDate(local.getUTCDate() - ((local.getUTCDay() + 6) % 7))
  if ('My'.includes(unit)) local.setUTCDate(1)
  if (unit === 'y') local.setUTCMonth(0)
  return local.getTime() + shift
}

/**
 * Parses a time to Unix ms: `now`, `now-15m`, `now/d`, `now-1d/d`, `-1h`, Unix ms, or a date with or without a time.
 * `undefined` for any other text.
 */
export function timeOfWord(text: string, nowMs: number, isUtc = false): number | undefined {
  const word = text.trim()
  const short = SHORT.exec(word)
  const relative = RELATIVE.exec(short === null ? word : `now${word}`)
  if (relative !== null) {
    const [, sign, count = '0', unit = 's', floor] = relative
    const shiftMs = Number(count) * (UNITS.get(unit) ?? 0) * (sign === '-' ? -1 : 1)
    const ms = nowMs + shiftMs
    return floor === undefined ? ms : floorTo(ms, floor, isUtc)
  }
  if (/^\d{12,14}$/.test(word)) return Number(word)
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(word)) return undefined
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/.test(word.slice(10))
  const iso = word.replace(' ', 'T')
  const ms = Date.parse(hasZone ? iso : `${iso.length === 10 ? `${iso}T00:00` : iso}${isUtc ? 'Z' : ''}`)
  return Number.isNaN(ms) ? undefined : ms
}

/** Parses the start and end of a range; `undefined` if one is not a time or the end is not after the start. */
export function rangeOfWords(from: string, to: string, nowMs: number, isUtc = false): TimeRange | undefined {
  const startMs = timeOfWord(from, nowMs, isUtc)
  const endMs = timeOfWord(to, nowMs, isUtc)
  return startMs === undefined || endMs === undefined || startMs >= endMs ? undefined : { startMs, endMs }
}

/** Ranges that the time picker suggests. */
export const OFFERED_RANGES: readonly { readonly from: string; readonly words: string }[] = [
  { from: 'now-5m', words: '5 minutes' },
  { from: 'now-15m', words: '15 minutes' },
  { from: 'now-1h', words: '1 hour' },
  { from: 'now-3h', words: '3 hours' },
  { from: 'now-6h', words: '6 hours' },
  { from: 'now-12h', words: '12 hours' },
  { from: 'now-1d', words: '24 hours' },
  { from: 'now-2d', words: '2 days' },
  { from: 'now-7d', words: '7 days' },
  { from: 'now-30d', words: '30 days' },
  { from: 'now-90d', words: '90 days' },
]

/** Readable bar widths, ms. */
const STEPS = [
  1, 5, 10, 50, 100, 500, 1000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000, 10_800_000,
  21_600_000, 43_200_000, 86_400_000, 604_800_000, 2_592_000_000,
]

/** Returns the smallest readable width with which a range has at most `count` bars. */
export function stepFor({ startMs, endMs }: TimeRange, count: number): number {
  return STEPS.find((step) => (endMs - startMs) / step <= count) ?? Math.ceil((endMs - startMs) / count)
}

/** Formats a duration in the largest unit that divides it: `5m`, `36s`. */
export function durationWords(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's']) {
    const length = UNITS.get(unit) ?? 1
    if (ms >= length && ms % length === 0) return `${ms / length}${unit}`
  }
  return ms >= 1000 ? `${(ms / 1000).toFixed(1)}s` : `${ms}ms`
}
