import { SECOND_NS, daysFromCivil, daysInMonth, type Bytes } from '../../../base/index.ts'
import { MAX_TIME_CHARS, latin1, readTime, type TimeContext } from '../../../data/index.ts'

/** A time read from bytes: whole seconds since the epoch and nanoseconds. */
export interface TimeParts {
  seconds: number
  nanos: number
}

/** Two decimal digits at `at`, or -1. */
function pair(bytes: Uint8Array, at: number): number {
  const tens = bytes[at] - 48
  const ones = bytes[at + 1] - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1
}

/**
 * Reads times from ASCII bytes: the common RFC 3339 form `2026-01-02T03:04:05.678901234Z` without making a text, the day being
 * remembered, since neighbours share it; all others as `readTime` does.
 */
export class TimeReader {
  readonly parts: TimeParts = { seconds: 0, nanos: 0 }
  #date = -1
  #dateLow = -1
  #daySeconds = 0

  /** Whether a text, or the digits of a number, is a time. */
  read(bytes: Bytes, start: number, end: number, context: TimeContext): boolean {
    if (this.#readCommon(bytes, start, end)) return true
    const ns = end - start > MAX_TIME_CHARS ? undefined : readTime(latin1(bytes, start, end), context)
    if (ns === undefined) return false
    const nanos = ((ns % SECOND_NS) + SECOND_NS) % SECOND_NS
    this.parts.seconds = Number((ns - nanos) / SECOND_NS)
    this.parts.nanos = Number(nanos)
    return true
  }

  #readCommon(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start < 20 || bytes[start + 10] !== 84 || bytes[end - 1] !== 90) return false
    if (bytes[start + 4] !== 45 || bytes[start + 7] !== 45 || bytes[start + 13] !== 58 || bytes[start + 16] !== 58)
      return false
    if (!this.#readDay(bytes, start)) return false
    const hour = pair(bytes, start + 11)
    const minute = pair(bytes, start + 14)
    const second = pair(bytes, start + 17)
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return false
    let nanos = 0
    if (end - start > 20) {
      const digits = end - start - 21
      if (bytes[start + 19] !== 46 || digits < 1 || digits > 9) return false
      for (let i = start + 20; i < end - 1; i++) {
        const digit = bytes[i] - 48
        if (digit < 0 || digit > 9) return false
        nanos = nanos * 10 + digit
      }
      for (let i = digits; i < 9; i++) nanos *= 10
    }
    this.parts.seconds = this.#daySeconds + hour * 3600 + minute * 60 + second
    this.parts.nanos = nanos
    return true
  }

  #readDay(bytes: Uint8Array, start: number): boolean {
    const century = pair(bytes, start)
    const low = pair(bytes, start + 2)
    const month = pair(bytes, start + 5)
    const day = pair(bytes, start + 8)
    if (century < 0 || low < 0) return false
    const year = century * 100 + low
    const date = year * 16 + month
    if (date === this.#date && day === this.#dateLow) return true
    if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return false
    // Far years saturate or need more than the fast way gives.
    if (year < 1900 || year > 2200) return false
    this.#date = date
    this.#dateLow = day
    this.#daySeconds = daysFromCivil(year, month, day) * 86400
    return true
  }
}
