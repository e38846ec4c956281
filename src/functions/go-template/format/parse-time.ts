import {
  compileRegexp,
  daysFromCivil,
  daysInMonth,
  instantsOfLocal,
  isKnownZone,
  type Regexp,
  SECOND_NS,
} from '../../../base/index.ts'
import { LAYOUT, MONTHS, WEEKDAYS } from './time.ts'

/** The first instant of the year 1, Go's zero time. */
export const ZERO_TIME_NS = BigInt(daysFromCivil(1, 1, 1)) * 86_400n * SECOND_NS

/** The parts of a time that were parsed so far. `offset` is in seconds east of UTC. */
interface Fields {
  year: number
  month: number
  day: number
  yearDay: number | undefined
  hour: number
  minute: number
  second: number
  nanos: number
  isAfternoon: boolean | undefined
  offset: number | undefined
}

type Read = (fields: Fields, text: string) => void

function named(names: readonly string[], length?: number): string {
  return names.map((name) => name.slice(0, length)).join('|')
}

const monthOf = (text: string): number =>
  MONTHS.findIndex((name) => name.slice(0, 3).toLowerCase() === text.slice(0, 3).toLowerCase()) + 1

const year: Read = (fields, text) => (fields.year = Number(text))
const shortYear: Read = (fields, text) => (fields.year = Number(text) + (Number(text) >= 69 ? 1900 : 2000))
const month: Read = (fields, text) => (fields.month = Number(text))
const monthName: Read = (fields, text) => (fields.month = monthOf(text))
const day: Read = (fields, text) => (fields.day = Number(text))
const yearDay: Read = (fields, text) => (fields.yearDay = Number(text))
const hour: Read = (fields, text) => (fields.hour = Number(text))
const minute: Read = (fields, text) => (fields.minute = Number(text))
const second: Read = (fields, text) => (fields.second = Number(text))
const half: Read = (fields, text) => (fields.isAfternoon = text.toLowerCase() === 'pm')
const ignored: Read = () => undefined

/** For each part of a layout, its pattern and the function that reads the matched text. */
const PARTS: Readonly<Record<string, readonly [pattern: string, read: Read]>> = {
  '2006': ['\\d{4}', year],
  '06': ['\\d{2}', shortYear],
  January: [named(MONTHS), monthName],
  Jan: [named(MONTHS, 3), monthName],
  '01': ['\\d{2}', month],
  '1': ['\\d{1,2}', month],
  Monday: [named(WEEKDAYS), ignored],
  Mon: [named(WEEKDAYS, 3), ignored],
  '02': ['\\d{2}', day],
  _2: [' ?\\d{1,2}', day],
  '2': ['\\d{1,2}', day],
  '002': ['\\d{3}', yearDay],
  __2: [' {0,2}\\d{1,3}', yearDay],
  '15': ['\\d{1,2}', hour],
  '03': ['\\d{2}', hour],
  '3': ['\\d{1,2}', hour],
  '04': ['\\d{2}', minute],
  '4': ['\\d{1,2}', minute],
  '05': ['\\d{2}', second],
  '5': ['\\d{1,2}', second],
  PM: ['AM|PM', half],
  pm: ['am|pm', half],
  MST: ['[A-Z]{3,5}', ignored],
}

const fraction: Read = (fields, text) => (fields.nanos = Number(text.slice(1, 10).padEnd(9, '0')))

const zoneOffset: Read = (fields, text) => {
  if (text === 'Z') fields.offset = 0
  else {
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = /^([+-])(\d{2}):?(\d{2})?:?(\d{2})?$/.exec(text) ?? []
    const size = 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds)
    fields.offset = sign === '-' ? -size : size
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** Returns the pattern of a part of the layout. */
function elementPattern(element: string): readonly [pattern: string, read: Read] {
  const known = PARTS[element]
  if (known !== undefined) return known
  if (/^[.,]0/.test(element)) return [`[.,]\\d{${element.length - 1}}`, fraction]
  if (/^[.,]9/.test(element)) return ['(?:[.,]\\d+)?', fraction]
  const digits = element.slice(1).replaceAll(/0\d/g, '\\d{2}')
  return [`${element.startsWith('Z') ? 'Z|' : ''}[+-]${digits}`, zoneOffset]
}

interface Layout {
  readonly layout: string
  /**
   * Linear-time pattern of the whole layout. Linear, because the layout is user input, and adjacent day parts can match
   * in many ways.
   */
  readonly pattern: Regexp
  readonly reads: readonly Read[]
}

/** Cache of the most recently compiled layout. One entry suffices, because a query has few layouts. */
let lastLayout: Layout | undefined

function compileLayout(layout: string): Layout {
  if (lastLayout?.layout === layout) return lastLayout
  let pattern = ''
  const reads: Read[] = []
  let from = 0
  const elements = [...layout.matchAll(LAYOUT)]
  for (const [i, match] of elements.entries()) {
    const [element] = match
    const [elementText, read] = elementPattern(element)
    pattern += `${escaped(layout.slice(from, match.index))}(${elementText})`
    reads.push(read)
    from = match.index + element.length
    // Seconds may have a fraction even if the layout has none.
    const isFollowed = /^[.,][09]/.test(elements[i + 1]?.[0] ?? '') && elements[i + 1]?.index === from
    if ((element === '05' || element === '5') && !isFollowed) {
      pattern += '([.,]\\d+)?'
      reads.push(fraction)
    }
  }
  lastLayout = { layout, pattern: compileRegexp(`^${pattern}${escaped(layout.slice(from))}$`, true), reads }
  return lastLayout
}

function hourOf({ hour: given, isAfternoon }: Fields): number {
  if (isAfternoon === true && given < 12) return given + 12
  return isAfternoon === false && given === 12 ? 0 : given
}

/**
 * Parses a time by a Go layout (`2006-01-02T15:04:05Z07:00`), and returns ns since 1970. A time without an offset is in
 * `zone`, or in UTC if the zone is unknown. Returns `undefined` if the text does not match the layout.
 */
export function parseTime(text: string, layout: string, zone: string): bigint | undefined {
  const { pattern, reads } = compileLayout(layout)
  const match = pattern.find(text)
  if (match === undefined) return undefined
  const fields: Fields = {
    year: 0,
    month: 1,
    day: 1,
    yearDay: undefined,
    hour: 0,
    minute: 0,
    second: 0,
    nanos: 0,
    isAfternoon: undefined,
    offset: undefined,
  }
  for (const [i, read] of reads.entries()) {
    const start = match[2 * i + 2] ?? -1
    const part = start === -1 ? '' : text.slice(start, match[2 * i + 3])
    if (part !== '') read(fields, part)
  }
  const isDate =
    fields.month >= 1 && fields.month <= 12 && fields.day >= 1 && fields.day <= daysInMonth(fields.year, fields.month)
  if (!isDate || fields.hour > 23 || fields.minute > 59 || fields.second > 59) return undefined
  const days =
    fields.yearDay === undefined
      ? daysFromCivil(fields.year, fields.month, fields.day)
      : daysFromCivil(fields.year, 1, 1) + fields.yearDay - 1
  const seconds = days * 86_400 + hourOf(fields) * 3600 + fields.minute * 60 + fields.second
  const localNs = BigInt(seconds) * SECOND_NS + BigInt(fields.nanos)
  if (fields.offset !== undefined) return localNs - BigInt(fields.offset) * SECOND_NS
  return zone === 'UTC' || !isKnownZone(zone) ? localNs : instantsOfLocal(zone, localNs).first
}
