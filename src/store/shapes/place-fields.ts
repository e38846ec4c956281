import {
  Instant,
  JsonText,
  readTime,
  typedNumber,
  utf8,
  type MutableRow,
  type TimeContext,
  type Value,
} from '../../data/index.ts'
import { Bytes } from '../../base/index.ts'
import { readLevel } from './levels.ts'
import { isPath, placerOf, type Placement, type PlacingTable } from './placement.ts'

/** A record whose members were assigned to the fields of a table. */
export interface PlacedRecord {
  /** The values by field. The time field comes first; its value is `null` if the record has no readable time. */
  readonly row: MutableRow
  readonly timeNs: bigint | undefined
  /** The value of the time member, if the record has no readable time; it is stored as `<time field>.text`. */
  readonly unreadableTime: Value | undefined
}

/** Assigns the members of a flattened record to the fields of a table. */
export function placeFields(table: PlacingTable, record: MutableRow, context: TimeContext): PlacedRecord {
  const names: string[] = []
  const values: Value[] = []
  for (const [name, value] of record) {
    if (value === null) continue
    names.push(name)
    values.push(value)
  }
  const { timeField, textField, levelField } = table
  const placement = placerOf(table).of(names)
  const { fields, times, level, levels, levelCopy, defaultLevel, copies, rawText } = placement
  const row: MutableRow = new Map()
  row.set(timeField, null)
  const { timeAt, timeNs } = timeOf(placement, values, context)
  values.forEach((value, i) => {
    if (i === level || times.includes(i)) return
    const field = fields[i] ?? ''
    row.set(field, i === rawText ? lineText(value) : isPath(field, names[i]) ? lastPart(value) : value)
  })
  let unreadableTime: Value | undefined
  for (const [i, index] of times.entries()) {
    const field = fields[index] ?? ''
    const value = values[index] ?? null
    const isOther = field !== timeField && !field.startsWith(`${timeField}.`)
    if (isOther) row.set(field, value)
    else if (index !== timeAt) {
      const isUnread = i === 0 && timeNs === undefined && value !== ''
      if (isUnread) unreadableTime = value
      row.set(isUnread || names[index] === timeField ? `${timeField}.text` : `${timeField}.${names[index]}`, value)
    }
  }
  if (levelField !== undefined) {
    const given = values[level] ?? values[levelCopy]
    if (given !== undefined) {
      const read = readLevel(given, levels, level === -1)
      if (level !== -1 || read.isKnown) row.set(levelField, read.level)
      if (level !== -1 && read.isRenamed) row.set(`${levelField}.original`, given)
    } else if (defaultLevel !== undefined) row.set(levelField, defaultLevel)
  }
  for (const { from, field } of copies) {
    const value = values[from] ?? null
    row.set(field, isPath(field, names[from]) ? lastPart(value) : field === textField ? lineText(value) : value)
  }
  if (timeNs !== undefined) row.set(timeField, new Instant(timeNs))
  return { row, timeNs, unreadableTime }
}

function timeOf(
  { times, timeParts, clock, otherTimes }: Placement,
  values: readonly Value[],
  context: TimeContext,
): { readonly timeAt: number; readonly timeNs: bigint | undefined } {
  for (const index of times) {
    const value = values[index] ?? null
    const timeNs = value === '' ? undefined : readTime(value, context)
    if (timeNs !== undefined) return { timeAt: index, timeNs }
  }
  const seconds = wholeNumber(values[timeParts?.[0] ?? -1])
  const nanos = wholeNumber(values[timeParts?.[1] ?? -1])
  if (seconds !== undefined && nanos !== undefined && nanos < 1_000_000_000n)
    return { timeAt: -1, timeNs: seconds * 1_000_000_000n + nanos }
  const clockNs = clock === undefined ? undefined : clockTime(clock, values, context)
  if (clockNs !== undefined) return { timeAt: -1, timeNs: clockNs }
  for (const index of otherTimes) {
    const timeNs = readTime(values[index] ?? null, context)
    if (timeNs !== undefined) return { timeAt: -1, timeNs }
  }
  return { timeAt: -1, timeNs: undefined }
}

/** Returns the time of a record that has date, time of day and zone in separate members. */
function clockTime(
  indexes: NonNullable<Placement['clock']>,
  values: readonly Value[],
  context: TimeContext,
): bigint | undefined {
  const [date = '', clock = '', zone = ''] = indexes.map((index) => {
    const value = values[index] ?? ''
    return typeof value === 'string' ? value.trim() : ''
  })
  if (date === '' || !CLOCK.test(clock)) return undefined
  return readTime(`${date} ${clock}${OFFSET.test(zone) ? zone : ''}`, context)
}

const CLOCK = /^\d{1,2}:\d\d/
const OFFSET = /^(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/

function wholeNumber(value: Value | undefined): bigint | undefined {
  if (typeof value === 'string') return /^\d{1,11}$/.test(value) ? BigInt(value) : undefined
  const number = typedNumber(value ?? null)
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? BigInt(number) : undefined
}

function lastPart(value: Value): Value {
  return typeof value === 'string' ? value.slice(value.lastIndexOf('/') + 1) : value
}

/** Returns a string without its line end. A list of bytes is decoded as text. */
function lineText(value: Value): Value {
  if (typeof value === 'string') return value.endsWith('\n') ? value.slice(0, value.endsWith('\r\n') ? -2 : -1) : value
  if (!(value instanceof JsonText) || !/^\[[\d,\s]*\]$/.test(value.json)) return value
  const bytes = JSON.parse(value.json) as readonly number[]
  if (bytes.length === 0 || bytes.some((byte) => byte > 255)) return value
  const buffer = Bytes.from(bytes)
  return utf8(buffer, 0, buffer.length)
}
