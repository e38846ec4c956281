import {
  SECOND_NS,
  clampNs,
  daysFromCivil,
  daysInMonth,
  instantsOfLocal,
  MAX_NS,
  parseDurationNs,
  parseUnixTime,
} from '../../../../base/index.ts'

/** First and last instant of a written time, both included. For example, `2026-05` is a whole month. */
export interface TimeSpan {
  readonly firstNs: bigint
  readonly lastNs: bigint
}

const DATE = new RegExp(
  String.raw`^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,9})\d*)?)?)?)?)?)?(Z|z|[+-]\d\d:\d\d)?$`,
)

/** Parses a Unix time. A text of fewer than five digits is not a Unix time; it is a year or no time at all. */
function unixSpan(text: string): TimeSpan | undefined {
  const time = /^-?\d{5}/.test(text) ? parseUnixTime(text) : undefined
  return time && { firstNs: time.ns, lastNs: clampNs(time.ns + time.precisionNs - 1n) }
}

function offsetNs(zone: string): bigint | undefined {
  if (zone === 'Z' || zone === 'z') return 0n
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4))
  if (hours > 23 || minutes > 59) return undefined
  return BigInt((hours * 60 + minutes) * (zone[0] === '-' ? -60 : 60)) * SECOND_NS
}

function civilNs(year: number, month: number, day: number): bigint {
  return BigInt(daysFromCivil(year, month, day)) * 86_400n * SECOND_NS
}

/**
 * Returns the instants of a date or date-time, such as `2026`, `2026-05Z` or `2026-05-31T10:20+02:00`. A time without a
 * zone is in `zone`, or UTC if `zone` is missing.
 */
function civilSpan(match: RegExpExecArray, zone: string | undefined): TimeSpan | undefined {
  const [, y, mo, d, h, mi, s, fraction, written] = match
  const offset = written === undefined ? 0n : offsetNs(written)
  const [year, month, day] = [Number(y), Number(mo ?? 1), Number(d ?? 1)]
  const [hour, minute, second] = [Number(h ?? 0), Number(mi ?? 0), Number(s ?? 0)]
  const isReal = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
  if (offset === undefined || !isReal || hour > 24 || minute > 59 || second > 60) return undefined
  const start = civilNs(year, month, day)
  const clock = BigInt(hour * 3600 + minute * 60 + second) * SECOND_NS
  const parts = fraction === undefined ? 0n : BigInt(fraction.padEnd(9, '0'))
  const firstNs = start + clock + parts
  let nextNs: bigint
  if (fraction !== undefined) nextNs = firstNs + 10n ** BigInt(9 - fraction.length)
  else if (s !== undefined) nextNs = firstNs + SECOND_NS
  else if (mi !== undefined) nextNs = firstNs + 60n * SECOND_NS
  else if (h !== undefined) nextNs = firstNs + 3600n * SECOND_NS
  else if (d !== undefined) nextNs = firstNs + 86_400n * SECOND_NS
  else if (mo !== undefined) nextNs = month === 12 ? civilNs(year + 1, 1, 1) : civilNs(year, month + 1, 1)
  else nextNs = civilNs(year + 1, 1, 1)
  if (written === undefined && zone !== undefined)
    return {
      firstNs: clampNs(instantsOfLocal(zone, firstNs).first),
      lastNs: clampNs(instantsOfLocal(zone, nextNs).last - 1n),
    }
  return { firstNs: clampNs(firstNs - offset), lastNs: clampNs(nextNs - 1n - offset) }
}

/** True if a time has no zone although the `logsql` dialect requires one, which it does for fractions of a second. */
function isZoneMissing(match: RegExpExecArray): boolean {
  return match[7] !== undefined && match[8] === undefined
}

/**
 * Parses a time: a date or date-time of any precision, a Unix time, `now`, `now-5m`, or an age (`5m`, `-5m`).
 * `undefined` for other texts. `zone` applies to times without a zone; default: UTC.
 */
export function parseTimeSpan(text: string, nowNs: bigint, isNative: boolean, zone?: string): TimeSpan | undefined {
  const match = DATE.exec(text)
  if (match !== null) return !isNative && isZoneMissing(match) ? undefined : civilSpan(match, zone)
  if (/^now$/i.test(text)) return { firstNs: nowNs, lastNs: nowNs }
  if (/^now[+-]/i.test(text)) {
    const shift = parseDurationNs(text.slice(text[3] === '+' ? 4 : 3))
    return shift === undefined ? undefined : point(nowNs + shift)
  }
  const unix = unixSpan(text)
  if (unix !== undefined) return unix
  const agoNs = parseDurationNs(text)
  return agoNs === undefined ? undefined : point(nowNs - (agoNs < 0n ? -agoNs : agoNs))
}

function point(ns: bigint): TimeSpan {
  const clamped = clampNs(ns)
  return { firstNs: clamped, lastNs: clamped }
}

/**
 * Returns the exclusive end that corresponds to an inclusive last instant, ns. Returns the last representable instant
 * unchanged.
 */
export function afterNs(lastNs: bigint): bigint {
  return lastNs >= MAX_NS ? MAX_NS : lastNs + 1n
}
