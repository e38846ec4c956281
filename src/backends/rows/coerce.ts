import { MAX_INT64 } from '../../base/index.ts'
import { Instant, integer, JsonText, type Value } from '../../data/index.ts'

/** True if a value is missing or `''`; the two are equivalent. */
export function isEmpty(value: Value): boolean {
  return value === null || value === ''
}

/** Returns the shortest decimal digits that parse to the number, without an exponent. */
function decimalText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  const [mantissa = '', exponent] = Math.abs(value).toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const whole = Number(exponent) + 1
  const sign = value < 0 ? '-' : ''
  if (whole <= 0) return `${sign}0.${'0'.repeat(-whole)}${digits}`
  if (whole >= digits.length) return sign + digits.padEnd(whole, '0')
  return `${sign}${digits.slice(0, whole)}.${digits.slice(whole)}`
}

function timeText(ns: bigint, fractionDigits: (digits: string) => string): string {
  const fraction = ((ns % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  const seconds = new Date(Number((ns - fraction) / 1_000_000n)).toISOString().slice(0, 19)
  const digits = fractionDigits(String(fraction).padStart(9, '0'))
  return `${seconds}${digits === '' ? '' : `.${digits}`}Z`
}

/** Returns the text of a value, for tests, keys and string functions. */
export function textOf(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'number') return decimalText(value)
  if (value instanceof Instant) return timeText(value.ns, (digits) => digits.replace(/0+$/, ''))
  return value instanceof JsonText ? value.json : String(value)
}

/** Returns a value as JSON. NaN and infinities become null; times have nine fraction digits. */
export function jsonOf(value: Value): string {
  if (value instanceof JsonText) return value.json
  if (value instanceof Instant) return JSON.stringify(timeText(value.ns, (digits) => digits))
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}

const DIGITS = String.raw`\d+(?:_\d+)*`
const WHOLE = new RegExp(`^[+-]?${DIGITS}$`)
const DECIMAL = new RegExp(String.raw`^[+-]?(?:${DIGITS}(?:\.(?:${DIGITS})?)?|\.${DIGITS})(?:[eE][+-]?\d+)?$`)
const PREFIXED = /^[+-]?0(?:x(?:_?[0-9a-f])+|b(?:_?[01])+|o(?:_?[0-7])+)$/i

/** Parses an integer: exactly if it fits into a signed or unsigned 64-bit integer, otherwise as the nearest float. */
function wholeNumber(text: string): number | bigint {
  const size = BigInt(text.replaceAll(/[_+-]/g, ''))
  const value = text.startsWith('-') ? -size : size
  return value >= -(2n ** 63n) && value < 2n ** 64n ? integer(value) : Number(value)
}

function finite(number: number | bigint): number | bigint | undefined {
  return number === Infinity || number === -Infinity ? undefined : number
}

/** Parses a string that consists of a number, possibly NaN. Numbers beyond the largest float are rejected. */
export function plainNumberOf(text: string): number | bigint | undefined {
  if (text.length > 400) return undefined
  if (WHOLE.test(text) || PREFIXED.test(text)) return finite(wholeNumber(text))
  if (DECIMAL.test(text)) return finite(Number(text.replaceAll('_', '')) + 0)
  if (/^nan$/i.test(text)) return NaN
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  return undefined
}

const DURATION_UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  µs: 1000n,
  μs: 1000n,
  ms: 1000_000n,
  s: 1000_000_000n,
  m: 60n * 1000_000_000n,
  h: 3600n * 1000_000_000n,
  d: 24n * 3600n * 1000_000_000n,
  w: 7n * 24n * 3600n * 1000_000_000n,
  y: 365n * 24n * 3600n * 1000_000_000n,
}

const SIZE_UNITS: Readonly<Record<string, bigint>> = Object.fromEntries([
  ['B', 1n],
  ...['K', 'M', 'G', 'T'].flatMap((letter, i): [string, bigint][] => [
    [letter, 1000n ** BigInt(i + 1)],
    [`${letter}B`, 1000n ** BigInt(i + 1)],
    [`${letter}i`, 1024n ** BigInt(i + 1)],
    [`${letter}iB`, 1024n ** BigInt(i + 1)],
  ]),
])

/**
 * Parses amounts with units, such as `1h30m`, and returns their sum, each amount rounded down; `undefined` if the
 * string contains anything else.
 */
function amountOf(text: string, units: Readonly<Record<string, bigint>>): bigint | undefined {
  if (text.length > 200 || !/^-?\d/.test(text)) return undefined
  // Longest unit first, so that `ms` is not read as `m`.
  const names = Object.keys(units).toSorted((a, b) => b.length - a.length)
  const part = String.raw`${DIGITS}(?:\.${DIGITS})?(?:${names.join('|')})`
  if (!new RegExp(`^-?(?:${part})+$`).test(text)) return undefined
  let sum = 0n
  for (const [amount] of text.matchAll(new RegExp(part, 'g'))) {
    const [, whole = '', fraction = '', unit = ''] = /^([\d_]+)(?:\.([\d_]+))?(.*)$/.exec(amount) ?? []
    const digits = fraction.replaceAll('_', '')
    const scale = 10n ** BigInt(digits.length)
    const size = units[unit] ?? 0n
    const scaled = BigInt(whole.replaceAll('_', '')) * scale + BigInt(digits)
    sum += (scaled * size) / scale
  }
  const limited = sum > MAX_INT64 ? MAX_INT64 : sum
  return text.startsWith('-') ? -limited : limited
}

export function durationOf(text: string): bigint | undefined {
  return /^-?0$/.test(text) ? 0n : amountOf(text, DURATION_UNITS)
}

/** Parses a number, a duration in nanoseconds or a size in bytes; the result may be NaN. */
export function textNumberOf(text: string): number | bigint | undefined {
  const plain = plainNumberOf(text)
  if (plain !== undefined) return plain
  const amount = durationOf(text) ?? amountOf(text, SIZE_UNITS)
  return amount === undefined ? undefined : integer(amount)
}

/** Returns the number of a value that is a number or a JSON number; strings are not converted. */
export function storedNumberOf(value: Value): number | bigint | undefined {
  if (value instanceof JsonText) return /^[-\d]/.test(value.json) ? plainNumberOf(value.json) : undefined
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined
}

/** Returns the number of a value for functions that add and compare; never NaN. */
export function numberOf(value: Value): number | bigint | undefined {
  const number = typeof value === 'string' ? textNumberOf(value) : storedNumberOf(value)
  if (typeof number === 'bigint') return number
  return typeof number === 'number' && !Number.isNaN(number) ? number : undefined
}

/** Returns the 32 bits of a dotted IPv4 address. */
export function ipv4Of(text: string): number | undefined {
  const octets = text.split('.')
  if (text.length > 15 || octets.length !== 4 || !octets.every((octet) => /^\d+$/.test(octet) && Number(octet) < 256))
    return undefined
  return octets.reduce((address, octet) => address * 256 + Number(octet), 0)
}

/**
 * Like `numberOf`, but also converts times to nanoseconds and IPv4 addresses to their 32-bit number, for range
 * comparisons.
 */
export function rangeNumberOf(value: Value): number | bigint | undefined {
  if (typeof value === 'string' && textNumberOf(value) === undefined) {
    const ns = timeOf(value)
    return ns === undefined ? ipv4Of(value) : integer(ns)
  }
  return value instanceof Instant ? integer(value.ns) : numberOf(value)
}

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+)|,(\d{3}|\d{6,9}))?(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?$/

/**
 * Returns the nanoseconds since 1970 of an instant, or of an RFC 3339 string with a valid date. Without a zone it is
 * UTC.
 */
export function timeOf(value: Value): bigint | undefined {
  if (value instanceof Instant) return value.ns
  const match = typeof value === 'string' ? DATE_TIME.exec(value) : null
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second, plain, comma, sign, zoneHour = 0, zoneMinute = 0] = match
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined
  const zoneMinutes = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === '-' ? -1 : 1)
  const seconds = (Number(hour) * 60 + Number(minute) - zoneMinutes) * 60 + Number(second)
  const ns =
    (BigInt(date.getTime()) / 1000n + BigInt(seconds)) * 1_000_000_000n +
    BigInt((plain ?? comma ?? '').slice(0, 9).padEnd(9, '0'))
  return ns > MAX_INT64 ? MAX_INT64 : ns < -MAX_INT64 - 1n ? -MAX_INT64 - 1n : ns
}

export function ipv4Text(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.')
}

const CLOCK_UNITS = ['w', 'd', 'h', 'm'] as const
const SMALL_UNITS = ['ms', 'µs', 'ns'] as const

/** Returns a duration as `1h2m3.5s`; below a second as `123ms456µs789ns`; zero as `0`. */
export function durationText(ns: bigint): string {
  if (ns < 0n) return `-${durationText(-ns)}`
  let [rest, text] = [ns, '']
  const take = (unit: string): void => {
    const size = DURATION_UNITS[unit] ?? 1n
    if (rest >= size) text += `${rest / size}${unit}`
    rest %= size
  }
  CLOCK_UNITS.forEach(take)
  if (rest >= 1_000_000_000n) {
    const fraction = String(rest % 1_000_000_000n)
      .padStart(9, '0')
      .replace(/0+$/, '')
    return `${text}${rest / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}s`
  }
  SMALL_UNITS.forEach(take)
  return text === '' ? '0' : text
}
