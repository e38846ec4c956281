import { Bytes, COMMA, MAX_NS, SECOND_NS, daysFromCivil, daysInMonth } from '../../../base/index.ts'
import { MAX_TIME_CHARS, latin1, readTime, type TimeContext } from '../../../data/index.ts'

/** A time read from bytes, as whole seconds since 1970 and nanoseconds. */
export interface TimeParts {
  seconds: number
  nanos: number
}

/** Returns the number of two decimal digits at `at`; -1 if the bytes are not digits. */
function pair(bytes: Uint8Array, at: number): number {
  const tens = bytes[at] - 48
  const ones = bytes[at + 1] - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1
}

const DASH = 45
const COLON = 58
const SLASH = 47

/** The latest time that can be represented, in whole milliseconds since 1970. */
const MAX_MILLISECONDS = Number(MAX_NS / 1_000_000n)

/** Months by the three lower-case letters of their names, packed into one number. */
const MONTHS = new Map(
  ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'].map(
    (name, i) => [lettersAt(Bytes.from(name), 0), i + 1] as const,
  ),
)

function lettersAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] | 0x20) << 16) | ((bytes[at + 1] | 0x20) << 8) | (bytes[at + 2] | 0x20)
}

/**
 * Reads times from ASCII bytes. It parses common forms directly: `2026-01-02T03:04:05.678901234Z`,
 * `02/Jan/2026:03:04:05 +0000`, 13 digits of milliseconds and `Jan  2 03:04:05`. The first form may have a blank for
 * `T`, a comma for the point, and any offset. `readTime` reads all other forms. The last day is cached, since adjacent
 * records usually share it.
 */
export class RecordTimeReader {
  readonly parts: TimeParts = { seconds: 0, nanos: 0 }
  #date = -1
  #day = -1
  #daySeconds = 0
  #nanos = 0
  /**
   * Month letters of the last date without a year; its day is `#dayOfMonth`, and the start of that day `#midnight`, in
   * seconds.
   */
  #letters = 0
  #dayOfMonth = 0
  #nowNs = -1n
  #midnight = NaN

  /** Reads a time from a text or from the digits of a number; returns false if the bytes are not a time. */
  read(bytes: Bytes, start: number, end: number, context: TimeContext): boolean {
    if (this.#readDigits(bytes, start, end)) return true
    if (this.#readIso(bytes, start, end, context) || this.#readAccess(bytes, start, end)) return true
    if (this.#readYearless(bytes, start, end, context)) return true
    const ns = end - start > MAX_TIME_CHARS ? undefined : readTime(latin1(bytes, start, end), context)
    if (ns === undefined) return false
    const nanos = ((ns % SECOND_NS) + SECOND_NS) % SECOND_NS
    this.parts.seconds = Number((ns - nanos) / SECOND_NS)
    this.parts.nanos = Number(nanos)
    return true
  }

  #readIso(bytes: Uint8Array, start: number, end: number, { zone }: TimeContext): boolean {
    const blank = bytes[start + 10]
    if (end - start < 19 || (blank !== 84 && blank !== 32)) return false
    if (bytes[start + 4] !== DASH || bytes[start + 7] !== DASH) return false
    const clock = clockAt(bytes, start + 11)
    if (clock === -1) return false
    const year = yearAt(bytes, start)
    if (!this.#readDay(year, pair(bytes, start + 5), pair(bytes, start + 8))) return false
    const at = this.#readFraction(bytes, start + 19, end)
    if (at === -1) return false
    // A time without a zone is a local time in the zone of the context.
    const offset = at === end ? (zone === undefined ? 0 : NaN) : offsetAt(bytes, at, end, true)
    return this.#set(clock, this.#nanos, offset)
  }

  #readAccess(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start !== 26 || bytes[start + 2] !== SLASH || bytes[start + 6] !== SLASH || bytes[start + 11] !== COLON)
      return false
    const clock = clockAt(bytes, start + 12)
    if (clock === -1 || bytes[start + 20] !== 32) return false
    const month = MONTHS.get(lettersAt(bytes, start + 3)) ?? 0
    if (!this.#readDay(yearAt(bytes, start + 7), month, pair(bytes, start))) return false
    return this.#set(clock, 0, offsetAt(bytes, start + 21, end, false))
  }

  /** Reads 13 digits as milliseconds since 1970. */
  #readDigits(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start !== 13) return false
    let number = 0
    for (let at = start; at < end; at++) {
      const digit = bytes[at] - 48
      if (digit < 0 || digit > 9) return false
      number = number * 10 + digit
    }
    if (bytes[start] === 48 || number > MAX_MILLISECONDS) return false
    this.parts.seconds = Math.floor(number / 1000)
    this.parts.nanos = (number % 1000) * 1e6
    return true
  }

  /**
   * Reads `Jan  2 03:04:05`. The year comes from `readTime` and is cached for the day, unless the year changes within
   * it.
   */
  #readYearless(bytes: Bytes, start: number, end: number, context: TimeContext): boolean {
    if (end - start !== 15 || bytes[start + 3] !== 32 || bytes[start + 6] !== 32 || context.zone !== undefined)
      return false
    const clock = clockAt(bytes, start + 7)
    if (clock === -1) return false
    const letters = (bytes[start] << 16) | (bytes[start + 1] << 8) | bytes[start + 2]
    const day = (bytes[start + 4] << 8) | bytes[start + 5]
    if (letters !== this.#letters || day !== this.#dayOfMonth || context.nowNs !== this.#nowNs) {
      const date = latin1(bytes, start, start + 7)
      const first = readTime(`${date}00:00:00`, context)
      const last = readTime(`${date}23:59:59`, context)
      const isOneDay = first !== undefined && last !== undefined && last - first === 86_399n * SECOND_NS
      this.#midnight = isOneDay ? Number(first / SECOND_NS) : NaN
      this.#letters = letters
      this.#dayOfMonth = day
      this.#nowNs = context.nowNs
    }
    if (Number.isNaN(this.#midnight)) return false
    this.parts.seconds = this.#midnight + clock
    this.parts.nanos = 0
    return true
  }

  /** Sets the time; returns false if the offset is invalid. */
  #set(clock: number, nanos: number, offset: number): boolean {
    if (Number.isNaN(offset)) return false
    this.parts.seconds = this.#daySeconds + clock - offset
    this.parts.nanos = nanos
    return true
  }

  /**
   * Reads a point or comma and up to 9 digits as nanoseconds; 0 if there is no fraction. Returns the end of the
   * fraction; -1 if it is invalid.
   */
  #readFraction(bytes: Uint8Array, start: number, end: number): number {
    this.#nanos = 0
    if (start === end || (bytes[start] !== 46 && bytes[start] !== 44)) return start
    let at = start + 1
    let nanos = 0
    for (; at < end; at++) {
      const digit = bytes[at] - 48
      if (digit < 0 || digit > 9) break
      nanos = nanos * 10 + digit
    }
    const digits = at - start - 1
    if (digits < 1 || digits > 9 || (bytes[start] === COMMA && digits % 3 !== 0)) return -1
    for (let i = digits; i < 9; i++) nanos *= 10
    this.#nanos = nanos
    return at
  }

  #readDay(year: number, month: number, day: number): boolean {
    const date = year * 16 + month
    if (date === this.#date && day === this.#day) return true
    if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return false
    // Earlier and later years are left to `readTime`, which limits times to the supported range.
    if (year < 1900 || year > 2200) return false
    this.#date = date
    this.#day = day
    this.#daySeconds = daysFromCivil(year, month, day) * 86400
    return true
  }
}

function yearAt(bytes: Uint8Array, at: number): number {
  const century = pair(bytes, at)
  const low = pair(bytes, at + 2)
  return century < 0 || low < 0 ? -1 : century * 100 + low
}

/** Returns the seconds since midnight of `03:04:05` at `at`; -1 for other bytes. */
function clockAt(bytes: Uint8Array, at: number): number {
  const hour = pair(bytes, at)
  const minute = pair(bytes, at + 3)
  const second = pair(bytes, at + 6)
  if (bytes[at + 2] !== COLON || bytes[at + 5] !== COLON) return -1
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return -1
  return hour * 3600 + minute * 60 + second
}

/**
 * Returns the seconds of a zone offset if nothing follows it; NaN otherwise. The forms are `Z`, `+02:00` and, without
 * `hasColon`, `+0200`.
 */
function offsetAt(bytes: Uint8Array, at: number, end: number, hasColon: boolean): number {
  if (hasColon && bytes[at] === 90 && end === at + 1) return 0
  const minuteAt = hasColon ? at + 4 : at + 3
  if (end !== minuteAt + 2 || (hasColon && bytes[at + 3] !== COLON)) return NaN
  const sign = bytes[at] === 43 ? 1 : bytes[at] === DASH ? -1 : NaN
  const hours = pair(bytes, at + 1)
  const minutes = pair(bytes, minuteAt)
  return hours < 0 || hours > 23 || minutes < 0 || minutes > 59 ? NaN : sign * (hours * 3600 + minutes * 60)
}
