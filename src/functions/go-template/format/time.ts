import { civilFromDays, DAY_SECONDS, daysFromCivil, SECOND_NS } from '../../../base/index.ts'

export const MONTHS = 'January February March April May June July August September October November December'.split(' ')
export const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

/** Fields of a point in time in UTC. */
export interface TimeFields {
  readonly year: number
  readonly month: number
  readonly monthName: string
  readonly day: number
  readonly weekday: string
  readonly yearDay: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** Nanoseconds since the start of the second. */
  readonly nanos: number
  /** Whole seconds since 1970, rounded down. */
  readonly unix: bigint
}

function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by
}

/** Splits nanoseconds since 1970 into the fields of the calendar and clock. */
export function timeFields(ns: bigint): TimeFields {
  const nanos = modulo(ns, SECOND_NS)
  const unix = (ns - nanos) / SECOND_NS
  const days = Math.floor(Number(unix) / DAY_SECONDS)
  const second = Number(unix) - days * DAY_SECONDS
  const { year, month, day } = civilFromDays(days)
  return {
    year,
    month,
    monthName: MONTHS[month - 1] ?? '',
    day,
    // The first of January 1970 was a Thursday.
    weekday: WEEKDAYS[(((days + 4) % 7) + 7) % 7] ?? '',
    yearDay: days - daysFromCivil(year, 1, 1) + 1,
    hour: Math.floor(second / 3600),
    minute: Math.floor(second / 60) % 60,
    second: second % 60,
    nanos: Number(nanos),
    unix,
  }
}

/**
 * Matches the parts of a layout. A part that is a prefix of another one is tried after it. `Jan` inside a longer word
 * is literal text.
 */
export const LAYOUT =
  /2006|January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|002|01|02|03|04|05|06|__2|_2(?!006)|15|[12345]|PM|pm|[-Z]07(?::?00(?::?00)?)?|[.,](?:0+|9+)(?!\d)/g

function fractionText(element: string, nanos: number): string {
  const digits = String(nanos)
    .padStart(9, '0')
    .slice(0, element.length - 1)
  if (element[1] === '0') return `${element[0]}${digits.padEnd(element.length - 1, '0')}`
  const significant = digits.replace(/0+$/, '')
  return significant === '' ? '' : `${element[0]}${significant}`
}

function zeros(value: number, width: number): string {
  return String(value).padStart(width, '0')
}

const parts: Readonly<Record<string, (fields: TimeFields) => string>> = {
  '2006': ({ year }) => zeros(year, 4),
  '06': ({ year }) => zeros(year % 100, 2),
  January: ({ monthName }) => monthName,
  Jan: ({ monthName }) => monthName.slice(0, 3),
  '01': ({ month }) => zeros(month, 2),
  '1': ({ month }) => String(month),
  Monday: ({ weekday }) => weekday,
  Mon: ({ weekday }) => weekday.slice(0, 3),
  '02': ({ day }) => zeros(day, 2),
  _2: ({ day }) => String(day).padStart(2),
  '2': ({ day }) => String(day),
  '002': ({ yearDay }) => zeros(yearDay, 3),
  __2: ({ yearDay }) => String(yearDay).padStart(3),
  '15': ({ hour }) => zeros(hour, 2),
  '03': ({ hour }) => zeros(hour % 12 || 12, 2),
  '3': ({ hour }) => String(hour % 12 || 12),
  '04': ({ minute }) => zeros(minute, 2),
  '4': ({ minute }) => String(minute),
  '05': ({ second }) => zeros(second, 2),
  '5': ({ second }) => String(second),
  PM: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  pm: ({ hour }) => (hour < 12 ? 'am' : 'pm'),
  MST: () => 'UTC',
}

/** Formats a point in time, ns since 1970, by a Go layout (`2006-01-02T15:04:05Z07:00`), in UTC. */
export function formatTime(ns: bigint, layout: string): string {
  const fields = timeFields(ns)
  return layout.replaceAll(LAYOUT, (element) => {
    const write = parts[element]
    if (write !== undefined) return write(fields)
    if (element.startsWith('Z')) return 'Z'
    if (element.startsWith('-')) return element.replaceAll('7', '0').replace('-', '+')
    return fractionText(element, fields.nanos)
  })
}

/** Formats a point in time as Go prints it: `2026-01-02 03:04:05.6 +0000 UTC`. */
export function timeText(ns: bigint): string {
  return formatTime(ns, '2006-01-02 15:04:05.999999999 -0700 MST')
}

const SMALL_UNITS: readonly (readonly [unit: string, ns: bigint])[] = [
  ['s', SECOND_NS],
  ['ms', 1_000_000n],
  ['µs', 1000n],
]

function decimal(ns: bigint, unitNs: bigint): string {
  const digits = String(ns % unitNs).padStart(String(unitNs).length - 1, '0')
  const fraction = digits.replace(/0+$/, '')
  return `${ns / unitNs}${fraction === '' ? '' : `.${fraction}`}`
}

/** Formats a duration, ns, as Go prints it: `1h30m0s`, `1.5s`, `250ms`, `0s`. */
export function durationText(ns: bigint): string {
  if (ns === 0n) return '0s'
  const sign = ns < 0n ? '-' : ''
  const size = ns < 0n ? -ns : ns
  if (size < SECOND_NS) {
    const [unit, unitNs] = SMALL_UNITS.find(([, smallest]) => size >= smallest) ?? ['ns', 1n]
    return `${sign}${decimal(size, unitNs)}${unit}`
  }
  const minutes = size / (60n * SECOND_NS)
  const seconds = `${decimal(size % (60n * SECOND_NS), SECOND_NS)}s`
  if (minutes === 0n) return `${sign}${seconds}`
  return `${sign}${minutes < 60n ? '' : `${minutes / 60n}h`}${minutes % 60n}m${seconds}`
}
