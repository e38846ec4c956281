import { NINE, ZERO } from '../numbers/ascii.ts'
import { clampNs } from './interval.ts'

/** Returns the days from 1970-01-01 to a date of the proleptic Gregorian calendar. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146097 + dayOfEra - 719468
}

export interface CivilDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** Returns the date that is `days` days after 1970-01-01; the inverse of `daysFromCivil`. */
export function civilFromDays(days: number): CivilDate {
  const z = days + 719468
  const era = Math.floor(z / 146097)
  const dayOfEra = z - era * 146097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const mp = Math.floor((5 * dayOfYear + 2) / 153)
  const month = mp < 10 ? mp + 3 : mp - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * mp + 2) / 5) + 1,
  }
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/**
 * An instant as whole seconds since 1970 and nanoseconds from 0 to 999,999,999. Hot loops reuse the object to avoid a
 * BigInt.
 */
export interface InstantParts {
  seconds: number
  nanos: number
}

function digits(text: string, from: number, count: number): number {
  let value = 0
  for (let i = from; i < from + count; i++) {
    const code = text.charCodeAt(i)
    if (!(code >= ZERO && code <= NINE)) return -1
    value = value * 10 + (code - ZERO)
  }
  return value
}

/**
 * Parses the UTC offset at the end of a time and returns it in seconds: `+hh:mm`, and if loose also `+hhmm` or `+hh`.
 */
function readOffset(text: string, from: number, isLoose: boolean): number | undefined {
  const size = text.length - from
  const hasColon = size === 6 && text.charCodeAt(from + 3) === 58
  if (!hasColon && !(isLoose && (size === 5 || size === 3))) return undefined
  const hour = digits(text, from + 1, 2)
  const minute = size === 3 ? 0 : digits(text, from + (hasColon ? 4 : 3), 2)
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59) return undefined
  return (hour * 3600 + minute * 60) * (text.charCodeAt(from) === 43 ? 1 : -1)
}

function readDateTime(text: string, out: InstantParts, isLoose: boolean): 'zoned' | 'local' | undefined {
  const length = text.length
  if (length < 19 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return undefined
  const separator = text.charCodeAt(10)
  if (separator !== 84 && separator !== 116 && separator !== 32) return undefined
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return undefined
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 2)
  const day = digits(text, 8, 2)
  const hour = digits(text, 11, 2)
  const minute = digits(text, 14, 2)
  const second = digits(text, 17, 2)
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return undefined
  let index = 19
  let nanos = 0
  const point = text.charCodeAt(index)
  if (point === 46 || (isLoose && point === 44)) {
    index++
    let scale = 100_000_000
    const from = index
    for (; index < length; index++) {
      const code = text.charCodeAt(index)
      if (!(code >= ZERO && code <= NINE)) break
      nanos += (code - ZERO) * scale
      scale = scale >= 10 ? scale / 10 : 0
    }
    const count = index - from
    // A comma may also separate list items. So it starts a fraction only before three, or six to nine, digits, which
    // are the numbers of digits that programs write.
    if (count === 0 || (point === 44 && count !== 3 && (count < 6 || count > 9))) return undefined
  }
  const zone = text.charCodeAt(index)
  const isLocal = isLoose && index === length
  let offsetSeconds: number | undefined
  if (isLocal || ((zone === 90 || zone === 122) && index === length - 1)) offsetSeconds = 0
  else if (zone === 43 || zone === 45) offsetSeconds = readOffset(text, index, isLoose)
  if (offsetSeconds === undefined) return undefined
  out.seconds = daysFromCivil(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offsetSeconds
  out.nanos = nanos
  return isLocal ? 'local' : 'zoned'
}

/**
 * Parses a strict RFC 3339 date-time into `out`; returns false if it is invalid. The date must exist and a zone is
 * required. The separator is `T`, `t` or a blank. A fraction has 0 to 9 digits; further ones are cut. Second 60 becomes
 * the next second.
 */
export function readRfc3339(text: string, out: InstantParts): boolean {
  return readDateTime(text, out, false) === 'zoned'
}

/**
 * Like `readRfc3339`, but also accepts times without a zone (`local`, read as UTC), offsets such as `+0200` and `+02`,
 * and a comma before three or six to nine fraction digits. Records and fields have times in these forms.
 */
export function readIsoTime(text: string, out: InstantParts): 'zoned' | 'local' | undefined {
  return readDateTime(text, out, true)
}

const scratch: InstantParts = { seconds: 0, nanos: 0 }

function scratchNs(): bigint {
  return clampNs(BigInt(scratch.seconds) * 1_000_000_000n + BigInt(scratch.nanos))
}

/** Parses an RFC 3339 date-time to nanoseconds since 1970, limited to int64; `undefined` for other strings. */
export function parseRfc3339(text: string): bigint | undefined {
  return readRfc3339(text, scratch) ? scratchNs() : undefined
}

/** Like `parseRfc3339`, for all forms that `readIsoTime` accepts. A time without a zone is in UTC. */
export function parseIsoTime(text: string): bigint | undefined {
  return readIsoTime(text, scratch) === undefined ? undefined : scratchNs()
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}

/** Formats an instant as `2026-01-02T03:04:05.678000000Z`. With `trimZeros` the fraction has no trailing zeros. */
export function formatRfc3339(ns: bigint, trimZeros = false): string {
  let seconds = Number(ns / 1_000_000_000n)
  let nanos = Number(ns % 1_000_000_000n)
  if (nanos < 0) {
    nanos += 1_000_000_000
    seconds--
  }
  return formatInstantParts(seconds, nanos, trimZeros)
}

/** Like `formatRfc3339`, for whole seconds and nanoseconds from 0 to 999,999,999. */
export function formatInstantParts(seconds: number, nanos: number, trimZeros = false): string {
  const days = Math.floor(seconds / 86400)
  const rest = seconds - days * 86400
  const { year, month, day } = civilFromDays(days)
  const hour = Math.floor(rest / 3600)
  const minute = Math.floor(rest / 60) % 60
  let fraction = pad(nanos, 9)
  if (trimZeros) {
    let end = 9
    while (end > 0 && fraction.charCodeAt(end - 1) === ZERO) end--
    fraction = fraction.slice(0, end)
  }
  const clock = `${pad(hour, 2)}:${pad(minute, 2)}:${pad(rest % 60, 2)}`
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${clock}${fraction === '' ? '' : `.${fraction}`}Z`
}
