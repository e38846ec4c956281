import { civilFromDays, DAY_NS, DAY_SECONDS, daysFromCivil, daysInMonth, MAX_NS, MIN_NS } from '../../base/index.ts'
import type { TimeContext } from './time-context.ts'
import { abbreviations, localOffset, writtenOffset } from './zone.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Returns a word capitalised, in upper case, and in lower case. */
function inCases(word: string): readonly string[] {
  return [word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase(), word]
}

const LONG_MONTHS = 'january february march april june july august september october november december sept'
const monthName = [...LONG_MONTHS.split(' '), ...MONTHS].flatMap(inCases)

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].flatMap((day) => [
  ...inCases(day),
  ...inCases(day.slice(0, 3)),
])

const REGIONS = 'Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc|US'
const namedZone = `(?:${REGIONS})/[A-Za-z0-9_+-]+(?:/[A-Za-z_-]+)?`
const abbreviation = [...abbreviations.keys()].join('|')

/** The regular expressions of the parts of a time; each part occurs at most once in a format. */
const parts: Readonly<Record<string, string>> = {
  year: '(?<year>\\d{4})',
  /** Years 69 to 99 are in the twentieth century. */
  yy: '(?<yy>\\d{2})',
  month: '(?<month>\\d{2})',
  monthName: `(?<monthName>${monthName.join('|')})`,
  day: '(?<day>\\d{2})',
  d: '(?<day>\\d{1,2})',
  weekday: `(?:${weekdays.join('|')})`,
  hh: '(?<hour>\\d{2})',
  h: '(?<hour>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
  /** A comma is a fraction only before three, or six to nine, digits, so that the next column is not taken for one. */
  fraction: '(?:\\.(?<fraction>\\d+)|,(?<commaFraction>\\d{3}|\\d{6,9})(?!\\d))?',
  half: '(?:[ \\u202f\\u00a0]?(?<half>[AaPp])\\.?[Mm]\\b\\.?)',
  zone: `(?: ?(?<zone>[Zz](?!\\w)|(?:UTC|GMT)?[+-]\\d{2}:?\\d{2}(?!\\d)|(?:UTC|GMT|${abbreviation}|${namedZone})(?![\\w/]))|(?<hours>[+-]\\d{2}(?!:?\\d)))?`,
  /** Go prints the zone's name and the time since the process started after the offset. */
  goEnding: `(?: (?:UTC|GMT|${abbreviation}|[+-]\\d{2}(?:\\d{2})?)(?!\\w))?(?: m=[+-]\\d+(?:\\.\\d+)?)?`,
  zoneName: `(?:\\[(?<zoneName>${namedZone}|UTC|GMT|Z)\\])?`,
}

/**
 * Returns a sticky regular expression in which `{name}` stands for a part of a time. Text after the match must not look
 * like a continuation of the time. Matching takes linear time, because no part can match in two ways.
 */
export function timePattern(text: string): RegExp {
  const source = text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    /^\d/.test(name) ? whole : (parts[name] ?? whole),
  )
  return new RegExp(`${source}(?!\\w|[.:+-]\\d)`, 'y')
}

/** The matched parts of a time, by name. */
export type TimeGroups = Readonly<Record<string, string | undefined>>

/** The maximum number of years between two leap days, plus one. */
const MAX_YEARS = 10

/** Returns nanoseconds since 1970; `undefined` outside the representable range (1677 to 2262). */
export function nsWithin(seconds: number, nanos: number): bigint | undefined {
  const ns = BigInt(seconds) * 1_000_000_000n + BigInt(nanos)
  return ns < MIN_NS || ns > MAX_NS ? undefined : ns
}

function hourOf(groups: TimeGroups): number {
  const hour = Number(groups['hour'])
  const half = groups['half']
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return NaN
  return (hour % 12) + (half === 'p' || half === 'P' ? 12 : 0)
}

function nanosOf(groups: TimeGroups): number {
  const digits = groups['fraction'] ?? groups['commaFraction']
  return digits === undefined ? 0 : Number(digits.slice(0, 9).padEnd(9, '0'))
}

function fullYear(short: string): number {
  const year = Number(short)
  return year < 69 ? 2000 + year : 1900 + year
}

/** Returns the latest of the times from `inYear`, for a date without a year, that is at most one day in the future. */
function latest(nowNs: bigint, inYear: (year: number) => bigint | undefined): bigint | undefined {
  const { year } = civilFromDays(Math.floor(Number(nowNs / 1_000_000_000n) / DAY_SECONDS))
  for (let back = -1; back < MAX_YEARS; back++) {
    const ns = inYear(year - back)
    if (ns !== undefined && ns <= nowNs + DAY_NS) return ns
  }
  return undefined
}

/**
 * Returns the time that the parts form; `undefined` if the date or time of day does not exist, or if the zone is
 * unknown.
 */
export function timeOfGroups(groups: TimeGroups, context: TimeContext): bigint | undefined {
  const { year, yy, month, monthName: name, second } = groups
  const monthNumber = name === undefined ? Number(month) : MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1
  const day = Number(groups['day'])
  const clock = hourOf(groups) * 3600 + Number(groups['minute'] ?? '0') * 60 + Number(second ?? '0')
  // Second 60, a leap second, is read as the next second.
  const isClock = hourOf(groups) <= 23 && Number(groups['minute'] ?? '0') <= 59 && Number(second ?? '0') <= 60
  if (!isClock || !(monthNumber >= 1 && monthNumber <= 12) || !(day >= 1)) return undefined
  const zone = groups['zone'] ?? groups['hours'] ?? groups['zoneName']
  const inYear = (fourDigits: number): bigint | undefined => {
    if (day > daysInMonth(fourDigits, monthNumber)) return undefined
    const local = daysFromCivil(fourDigits, monthNumber, day) * DAY_SECONDS + clock
    const offset = zone === undefined ? localOffset(context.zone, local) : writtenOffset(zone, context.zone, local)
    return offset === undefined ? undefined : nsWithin(local - offset, nanosOf(groups))
  }
  if (year !== undefined) return inYear(Number(year))
  return yy === undefined ? latest(context.nowNs, inYear) : inYear(fullYear(yy))
}
