import { type Bytes, clampNs } from '../../../base/index.ts'
import {
  fieldOfJson,
  Instant,
  latin1,
  numberOfJson,
  parseJsonExact,
  readQuoted,
  utf8,
  type TimeContext,
  type Value,
} from '../../../data/index.ts'
import { layout } from '../../../kernels/index.ts'
import type { PlacingTable } from '../../shapes/index.ts'
import { EpochClock } from '../intake/epoch-clock.ts'
import { LineColumns, type PlacedLine, type PlacedMember } from '../intake/placed-line.ts'
import type { RowBuilder } from '../table/row-builder.ts'
import { epochStartNs, epochTimeOf, isEarlier, type EpochTime } from '../segment.ts'
import type { Tail } from '../tail.ts'
import type { GeneralReader, RecordSink } from './general-reader.ts'
import type { ScannedMember, ScannedTemplate } from './record-scanner.ts'
import { RecordTimeReader } from './time-bytes.ts'

/** The output of a scanner: words `[from, to)` of its memory. */
export interface ScannedRecords {
  readonly bytes: Bytes
  readonly words: Uint32Array
  readonly from: number
  readonly to: number
  readonly templates: readonly ScannedTemplate[]
  /** The file offset of the first byte of `bytes`, for tables that store offsets; 0 by default. */
  readonly origin?: number
}

/** The half-open range of times to store. */
interface KeptTimes {
  readonly start: EpochTime
  readonly end: EpochTime
}

/** A cached time of a record. `at` is the index of the word with the start of its text; -1 if nothing is cached. */
class RecordTime implements EpochTime {
  at = -1
  isTime = false
  epoch = 0
  delta = 0
}

/** A template with the columns that receive its values. */
interface PlacedTemplate extends PlacedLine {
  /** The scanned members, which come first in `members`; constants and then the whole line follow. */
  readonly scanned: readonly ScannedMember[]
  readonly constants: readonly string[]
  readonly hasWholeLine: boolean
  /** Where the stored line starts: `from` of `RecordTemplate.wholeLine`. */
  readonly wholeLineFrom: number
}

const POSITION_MASK = 2 ** layout.ScanRecord.TEMPLATE_SHIFT - 1
const END_MASK = 2 ** layout.Kind.SHIFT - 1
const POWERS = Array.from({ length: 16 }, (_, n) => 10 ** n)

/** Counts of the records of one input. */
export interface RecordCounts {
  /** The number of records that became rows or were skipped as not needed. */
  rows: number
  /** The number of records that no template matches. */
  general: number
}

/** The general reader for records that match no template, and the counters. */
export interface ScannedReadContext {
  readonly general: GeneralReader
  readonly sink: RecordSink
  readonly context: TimeContext
  /** The time for records that have none, in nanoseconds since 1970. */
  readonly arrivalNs: bigint
  /** True if several lines may form one record, as in `RecordFormat.joins`. */
  readonly joins: boolean
  readonly counts: RecordCounts
  /** Counts a record that has no time; its line begins at `start`. */
  readonly countTimeless: (bytes: Bytes, start: number) => void
}

/** Writes scanned records to the columns of a table's tail. */
export class ScannedRecordAppender {
  #rows: RowBuilder
  readonly #columns: LineColumns
  readonly #templates = new WeakMap<ScannedTemplate, PlacedTemplate>()
  readonly #time = new RecordTimeReader()
  readonly #clock = new EpochClock()
  /** The times of the last two records. A line is compared with the next one to decide whether they form one record. */
  #lastTime = new RecordTime()
  #timeBefore = new RecordTime()
  readonly #keptTimes: KeptTimes | undefined

  constructor(rows: RowBuilder, table: PlacingTable) {
    this.#rows = rows
    this.#columns = new LineColumns(rows, table)
    const range = rows.keptRange
    this.#keptTimes =
      range === undefined ? undefined : { start: epochTimeOf(range.startNs), end: epochTimeOf(range.endNs) }
  }

  /** Continues with another table, which must share its fields with the previous one. */
  into(rows: RowBuilder): void {
    this.#rows = rows
    this.#columns.into(rows)
  }

  append(records: ScannedRecords, readContext: ScannedReadContext): void {
    const { bytes, words, to, origin = 0 } = records
    const { general, joins, sink, counts, context, arrivalNs } = readContext
    const rows = this.#rows
    this.#lastTime.at = -1
    this.#timeBefore.at = -1
    const templates = records.templates.map((template) => this.#template(template))
    // Index of the first word of the last record that a template matched; -1 if the general reader already knows its
    // time.
    let last = -1
    let lastTemplate: PlacedTemplate | undefined
    let isOpen = general.isOpen
    const readGeneral = (start: number, end: number): void => {
      counts.general++
      if (last !== -1) general.follows?.(this.#instant(bytes, words, last, lastTemplate, context))
      last = -1
      general.read(bytes, start, end)
      isOpen = general.isOpen
    }
    for (let at = records.from; at < to;) {
      const start = words[at] & POSITION_MASK
      const kind = words[at] >>> layout.ScanRecord.TEMPLATE_SHIFT
      rows.offset = origin + start
      if (kind === layout.ScanRecord.GENERAL) {
        readGeneral(start, words[at + 1])
        at += 2
        continue
      }
      const number = kind & ~layout.ScanRecord.DROPPED
      const template = templates[number]
      const values = at + 1
      at = values + records.templates[number].members.length * 2
      if (joins) {
        const hasTime = this.#hasTime(bytes, words, values, template, context)
        if (!hasTime || this.#mayJoin(records, number, general, at, context)) {
          readGeneral(start, bytes.indexOf(10, start) + 1)
          continue
        }
      } else if (isOpen) {
        general.flush()
        isOpen = false
      }
      if (template?.timeAt === -1) readContext.countTimeless(bytes, start)
      if (kind !== number) rows.skipRow()
      else if (template === undefined || !this.#place(bytes, words, start, values, template, context, arrivalNs)) {
        readGeneral(start, bytes.indexOf(10, start) + 1)
        continue
      }
      last = values
      lastTemplate = template
      sink.lines++
      counts.rows++
    }
    if (last !== -1) general.follows?.(this.#instant(bytes, words, last, lastTemplate, context))
  }

  /** Returns the time of a record that a template matched; `undefined` if it has none. */
  #instant(
    bytes: Bytes,
    words: Uint32Array,
    at: number,
    template: PlacedTemplate | undefined,
    context: TimeContext,
  ): Instant | undefined {
    if (template === undefined || template.timeAt === -1) return undefined
    const time = this.#timeAt(bytes, words, at + template.timeAt * 2, context)
    return time === undefined ? undefined : new Instant(epochStartNs(time.epoch) + BigInt(time.delta))
  }

  /**
   * True if the record may continue an open record, or if the record at word `next` may continue this one. A line
   * without a readable time continues the record before it, unless that record has no time either.
   */
  #mayJoin(
    { bytes, words, to, templates }: ScannedRecords,
    number: number,
    general: GeneralReader,
    next: number,
    context: TimeContext,
  ): boolean {
    const { origin, staysOpen, mayContinue } = templates[number]
    if (general.readsAll || (general.isOpen && !general.begins(origin, mayContinue))) return true
    if (!staysOpen) return false
    for (let at = next; at < to;) {
      const kind = words[at] >>> layout.ScanRecord.TEMPLATE_SHIFT
      if (kind === layout.ScanRecord.GENERAL) return true
      const template = templates[kind & ~layout.ScanRecord.DROPPED]
      if (template.origin === origin)
        return (
          (template.mayContinue && !mayContinue) ||
          !this.#hasTime(bytes, words, at + 1, this.#template(template), context)
        )
      at += 1 + template.members.length * 2
    }
    return true
  }

  #hasTime(
    bytes: Bytes,
    words: Uint32Array,
    at: number,
    template: PlacedTemplate | undefined,
    context: TimeContext,
  ): boolean {
    if (template === undefined) return false
    return template.timeAt === -1 || this.#timeAt(bytes, words, at + template.timeAt * 2, context) !== undefined
  }

  /**
   * Returns a record's time; `undefined` if the time cannot be read. The returned object is reused two records later.
   */
  #timeAt(bytes: Bytes, words: Uint32Array, at: number, context: TimeContext): EpochTime | undefined {
    const time = this.#lastTime.at === at ? this.#lastTime : this.#timeBefore
    if (time.at !== at) {
      time.at = at
      time.isTime = this.#readTime(bytes, words, at, context)
      time.epoch = this.#clock.epoch
      time.delta = this.#clock.delta
      this.#timeBefore = this.#lastTime
      this.#lastTime = time
    }
    return time.isTime ? time : undefined
  }

  /** Sets the clock to a record's time; returns false if the time cannot be read. */
  #readTime(bytes: Bytes, words: Uint32Array, at: number, context: TimeContext): boolean {
    const end = words[at + 1]
    const kind = end >>> layout.Kind.SHIFT
    if (kind !== layout.Kind.ASCII && kind !== layout.Kind.NUMBER) return false
    if (!this.#time.read(bytes, words[at], end & END_MASK, context)) return false
    this.#clock.set(this.#time.parts.seconds, this.#time.parts.nanos)
    return true
  }

  #place(
    bytes: Bytes,
    words: Uint32Array,
    start: number,
    at: number,
    { members, timeAt, defaultLevel, scanned, constants, hasWholeLine, wholeLineFrom }: PlacedTemplate,
    context: TimeContext,
    arrivalNs: bigint,
  ): boolean {
    const time = timeAt === -1 ? epochTimeOf(clampNs(arrivalNs)) : this.#timeAt(bytes, words, at + timeAt * 2, context)
    if (time === undefined) return false
    const kept = this.#keptTimes
    if (kept !== undefined && (isEarlier(time, kept.start) || !isEarlier(time, kept.end))) {
      this.#rows.skipRow(time)
      return true
    }
    const tail = this.#rows.beginRowAt(time)
    for (let i = 0; i < scanned.length; i++) {
      if (i === timeAt) continue
      const end = words[at + i * 2 + 1]
      const kind = end >>> layout.Kind.SHIFT
      if (kind === layout.Kind.NULL) continue
      const from = words[at + i * 2]
      if (kind === layout.Kind.ASCII) addAscii(tail, members[i], bytes, from, end)
      else addValue(tail, members[i], valueOf(bytes, from, end & END_MASK, kind, scanned[i].syntax))
    }
    for (const [i, text] of constants.entries()) addValue(tail, members[scanned.length + i], text)
    if (hasWholeLine) addLine(tail, members[members.length - 1], bytes, start + wholeLineFrom)
    if (defaultLevel !== undefined) defaultLevel.column.of(tail).add(tail.rowCount, defaultLevel.level)
    this.#rows.endRow(tail)
    return true
  }

  /**
   * Returns the template with its columns; `undefined` if a member needs a new column and the table has reached its
   * limit. Such records go to the general reader.
   */
  #template(scanned: ScannedTemplate): PlacedTemplate | undefined {
    const known = this.#templates.get(scanned)
    if (known !== undefined) return known
    const { members, constants, wholeLine, wholeLineFrom, levels, defaultLevel } = scanned
    const line = this.#columns.line({
      members: [
        ...members,
        ...constants.map(({ targets }) => targets),
        ...(wholeLine === undefined ? [] : [wholeLine]),
      ],
      levels,
      defaultLevel,
    })
    if (line === undefined) return undefined
    const made: PlacedTemplate = {
      ...line,
      scanned: members,
      constants: constants.map(({ text }) => text),
      hasWholeLine: wholeLine !== undefined && wholeLine.fields.length > 0,
      wholeLineFrom,
    }
    this.#templates.set(scanned, made)
    return made
  }
}

function addAscii(tail: Tail, { columns, level }: PlacedMember, bytes: Bytes, start: number, end: number): void {
  const row = tail.rowCount
  for (let k = 0; k < columns.length; k++) columns[k].of(tail).addAscii(row, bytes, start, end)
  level?.addAscii(tail, row, bytes, start, end)
}

function addValue(tail: Tail, { columns, level }: PlacedMember, value: Value): void {
  const row = tail.rowCount
  for (let k = 0; k < columns.length; k++) {
    const builder = columns[k].of(tail)
    if (typeof value === 'number') builder.addNumber(row, value)
    else builder.add(row, value)
  }
  level?.add(tail, row, value)
}

/** Adds the line from `start` on, without its line end, as a value. */
function addLine(tail: Tail, member: PlacedMember, bytes: Bytes, start: number): void {
  const lineFeed = bytes.indexOf(10, start)
  const end = bytes[lineFeed - 1] === 13 ? lineFeed - 1 : lineFeed
  for (let i = start; i < end; i++) {
    if (bytes[i] < 0x80) continue
    addValue(tail, member, utf8(bytes, start, end))
    return
  }
  addAscii(tail, member, bytes, start, end)
}

function valueOf(bytes: Bytes, start: number, end: number, kind: number, syntax: ScannedMember['syntax']): Value {
  if (kind === layout.Kind.NUMBER) return readNumber(bytes, start, end)
  if (kind === layout.Kind.TRUE) return true
  if (kind === layout.Kind.FALSE) return false
  if (kind === layout.Kind.LIST) return fieldOfJson(parseJsonExact(utf8(bytes, start, end)))
  const text = (kind & layout.Kind.WIDE) === 0 ? latin1(bytes, start, end) : utf8(bytes, start, end)
  if ((kind & layout.Kind.ESCAPED) === 0) return text
  if (syntax === 'csv') return text.replaceAll('""', '"')
  return syntax === 'logfmt' ? (readQuoted(`"${text}"`, 0, true)?.value ?? text) : (JSON.parse(`"${text}"`) as string)
}

/** Reads a number without exponent. */
function readNumber(bytes: Bytes, start: number, end: number): Value {
  const isNegative = bytes[start] === 45
  let mantissa = 0
  let digits = 0
  let point = end
  for (let i = isNegative ? start + 1 : start; i < end; i++) {
    const byte = bytes[i]
    if (byte === 46) point = i
    else {
      mantissa = mantissa * 10 + byte - 48
      digits++
    }
  }
  const fraction = point === end ? 0 : end - point - 1
  const keepsText = (fraction > 0 && bytes[end - 1] === 48) || (isNegative && mantissa === 0)
  // Up to 15 digits, dividend and divisor are exact, so the quotient is rounded only once.
  if (digits <= 15 && !keepsText) {
    const value = fraction === 0 ? mantissa : mantissa / POWERS[fraction]
    return isNegative ? -value : value
  }
  return numberOfJson(latin1(bytes, start, end))
}
