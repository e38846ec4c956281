import { MAX_NS } from './interval.ts'

/** The number of nanoseconds in each duration unit. */
export const NS_PER_UNIT: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
  ['d', 86_400_000_000_000n],
  ['w', 604_800_000_000_000n],
  ['y', 31_536_000_000_000_000n],
])

const PART = /(\d+(?:_\d+)*)(?:\.(\d+(?:_\d+)*))?(ns|µs|μs|ms|s|m|h|d|w|y)/y

function saturate(ns: bigint): bigint {
  return ns > MAX_NS ? MAX_NS : ns < -MAX_NS ? -MAX_NS : ns
}

/** Converts a decimal number of units to nanoseconds, rounded toward zero. */
function scaled(whole: string, fraction: string | undefined, unitNs: bigint): bigint {
  const ns = BigInt(whole.replaceAll('_', '')) * unitNs
  if (fraction === undefined) return ns
  const digits = fraction.replaceAll('_', '').slice(0, 30)
  return ns + (BigInt(digits) * unitNs) / 10n ** BigInt(digits.length)
}

/**
 * Parses a duration literal to nanoseconds: `1.5h`, `1h33m55s`, `-5m`. The units are ns, µs, ms, s, m, h, d, w, y (365
 * days). The result is limited to int64. Returns `undefined` for other strings, including a number without a unit,
 * except `0`.
 */
export function parseDurationNs(text: string): bigint | undefined {
  const isNegative = text.charCodeAt(0) === 45
  const start = isNegative ? 1 : 0
  const first = text.charCodeAt(start)
  if (!(first >= 48 && first <= 57) || text.length > 200) return undefined
  if (text.length === start + 1) return first === 48 ? 0n : undefined
  let ns = 0n
  PART.lastIndex = start
  while (PART.lastIndex < text.length) {
    const part = PART.exec(text)
    if (part === null) return undefined
    const [, whole = '', fraction, unit = ''] = part
    ns += scaled(whole, fraction, NS_PER_UNIT.get(unit) ?? 0n)
  }
  return saturate(isNegative ? -ns : ns)
}

function printDecimal(ns: bigint, unitNs: bigint): string {
  const whole = ns / unitNs
  const rest = ns % unitNs
  if (rest === 0n) return String(whole)
  const digits = String(rest).padStart(String(unitNs).length - 1, '0')
  return `${whole}.${digits.replace(/0+$/, '')}`
}

/**
 * Formats a duration as `1h2m3.5s`, `123ms456µs789ns` or `0`. The result parses back to the same number. The largest
 * unit is the week.
 */
export function formatDurationNs(ns: bigint): string {
  if (ns === 0n) return '0'
  let rest = ns < 0n ? -ns : ns
  let text = ns < 0n ? '-' : ''
  for (const unit of ['w', 'd', 'h', 'm']) {
    const size = NS_PER_UNIT.get(unit) ?? 1n
    if (rest < size) continue
    text += `${rest / size}${unit}`
    rest %= size
  }
  if (rest >= 1_000_000_000n) return `${text}${printDecimal(rest, 1_000_000_000n)}s`
  for (const unit of ['ms', 'µs', 'ns']) {
    const size = NS_PER_UNIT.get(unit) ?? 1n
    if (rest < size) continue
    text += `${rest / size}${unit}`
    rest %= size
  }
  return text
}
