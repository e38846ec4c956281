import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from '../../base/index.ts'

/** Units, longest first. */
const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['w', 7 * DAY_MS],
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['m', MINUTE_MS],
  ['s', SECOND_MS],
  ['ms', 1],
]

const unitMs = new Map(UNITS)

const WORDS = /(\d)(second|minute|hour|day|week)s?/g

/** Parses `5m`, `1h30m`, `1d 4h` or `10 minutes` to milliseconds; `undefined` for other texts. */
export function durationMs(text: string): number | undefined {
  const short = text
    .toLowerCase()
    .replaceAll(/\s+/g, '')
    .replaceAll(WORDS, (_, digit: string, unit: string) => digit + (unit[0] ?? ''))
  if (!/^(\d+(\.\d+)?(ms|[smhdw]))+$/.test(short)) return undefined
  const parts = short.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)
  return [...parts].reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (unitMs.get(unit) ?? 0), 0)
}

/** Formats a duration with all its units, such as `1d 4h`; `durationMs` parses it back. */
export function durationText(ms: number): string {
  let rest = Math.max(0, Math.round(ms))
  const parts: string[] = []
  for (const [name, length] of UNITS) {
    const amount = Math.floor(rest / length)
    rest -= amount * length
    if (amount > 0) parts.push(`${amount}${name}`)
  }
  return parts.length === 0 ? '0s' : parts.join(' ')
}

/** Formats a duration roughly: its two largest units, in whole minutes from an hour on. */
export function roughDuration(ms: number): string {
  const isLong = ms >= HOUR_MS
  const unit = ms >= 7 * DAY_MS ? DAY_MS : isLong ? MINUTE_MS : SECOND_MS
  return durationText(Math.round(ms / unit) * unit)
    .split(' ')
    .slice(0, 2)
    .join(' ')
}
