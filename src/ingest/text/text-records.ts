import { Instant, type MutableRow, type TimeContext, type Value } from '../../data/index.ts'
import { jsonLines } from '../json-lines.ts'
import { isBadLine, type BadLine, type LineFormat } from '../line-format.ts'
import { logfmt } from '../logfmt.ts'
import { readAudit } from './audit.ts'
import { readCri, readDocker, type Envelope } from './envelopes.ts'
import { readForm } from './forms.ts'
import { rowOf } from './form.ts'
import { looseRecords } from '../loose-json.ts'
import { OpenRecord } from './join.ts'
import { xmlText } from './java.ts'
import { readLtsv } from './ltsv.ts'
import { readPlain } from './plain.ts'
import { readFluentBit, readLogcli, readPrefix } from './prefixes.ts'
import { slowQueryFields } from './servers.ts'
import { ExtendedLog } from './table-forms.ts'
import { LOGFMT_MIN_SHARE, MAX_OPEN_STREAMS, MAX_RECORD_CHARS } from '../tuning.ts'

export interface TextRecordOptions extends TimeContext {
  /** False if every line is a record of its own. */
  readonly multiline?: boolean | undefined
  /** The expected format of the lines; the format of each line is still detected. */
  readonly format?: LineFormat | undefined
  /** Called for each line that does not have the expected format. The line is kept as text. */
  readonly onOther?: ((fault: BadLine, line: string) => void) | undefined
  /** Returns the time of a record with members; `undefined` when it has none. */
  readonly timeOf?: ((record: MutableRow) => Instant | undefined) | undefined
}

interface ReadLine {
  readonly row: MutableRow
  /** True if the line begins a record because it has a form of its own or a time. */
  readonly begins: boolean
  /** True if following lines without a time belong to the line's record. */
  readonly hasTime: boolean
  /** True if the line is a complete record, to which no line can be added. */
  readonly isWhole: boolean
  /** Further records in the same line. */
  readonly more?: readonly MutableRow[]
  /** The fault of the line's pairs when its last value is a quoted string that continues in the next line. */
  readonly openQuote?: BadLine
}

/** The members of an envelope that are needed after its line has been read. */
type Wrapping = Pick<Envelope, 'time' | 'origin' | 'fields' | 'row'>

interface LinePart {
  readonly wrapping: Wrapping
  readonly text: string
}

const PAIR_OR_OBJECT = /^\s*(?:\{|[A-Za-z_][\w.-]*=)/

const UNWRAPPED: Wrapping = { time: undefined, origin: '', fields: new Map() }

/**
 * Makes records of the lines that programs print, in any format. Lines are passed in order, and a record is returned
 * once no further line can belong to it. Memory is limited to `MAX_RECORD_CHARS` per stream.
 */
export class TextRecords {
  readonly #options: TextRecordOptions
  readonly #extended = new ExtendedLog()
  /** The open records by the origin of their lines. */
  readonly #open = new Map<string, OpenRecord>()
  readonly #parts = new Map<string, LinePart>()
  #records: MutableRow[] = []
  /** The previous record or its time, which becomes the time of a text line without one. */
  #before: MutableRow | Instant | undefined

  constructor(options: TextRecordOptions) {
    this.#options = options
  }

  /** Adds a line, passed without its line end. */
  push(line: string): void {
    const options = this.#options
    const envelope =
      line.charCodeAt(0) === 123
        ? readDocker(line, options)
        : (readCri(line, options) ??
          readFluentBit(line, options) ??
          readLogcli(line, options) ??
          readPrefix(line, options))
    if (envelope === undefined) this.#push(UNWRAPPED, line)
    else this.#unwrap(envelope)
  }

  /** Sets the time of the previous record, if another reader has read it. */
  follows(time: Instant | undefined): void {
    this.#before = time
  }

  /** True if an earlier line has named the columns, so that the meaning of later lines depends on it. */
  get isTable(): boolean {
    return this.#extended.hasColumns
  }

  /** True if a record may get further lines. */
  get isOpen(): boolean {
    return this.#open.size + this.#parts.size > 0
  }

  /**
   * Completes the open record of an origin before the next line. The line must have a form of its own or, if
   * `mayContinue`, have neither a time nor the looks of a continuation. Returns false if the line may belong to the
   * open record.
   */
  begin(origin: string, mayContinue: boolean): boolean {
    if (this.#parts.has(origin)) return false
    const open = this.#open.get(origin)
    if (open === undefined) return true
    if (open.mayTakeAny || (mayContinue && (open.hasTime || open.isFull))) return false
    this.#replace(origin, open, undefined)
    return true
  }

  /** Returns the completed records. Each record is returned once. */
  take(): MutableRow[] {
    const records = this.#records
    this.#records = []
    return records
  }

  /** Completes all open records: at the end of an input, and after a pause in it. */
  flush(): void {
    for (const { wrapping, text } of this.#parts.values()) this.#push(wrapping, text)
    this.#parts.clear()
    for (const record of this.#open.values()) this.#close(record)
    this.#open.clear()
    this.#before = undefined
  }

  #unwrap({ isPartial, line, ...wrapping }: Envelope): void {
    const { origin } = wrapping
    const before = this.#parts.get(origin)
    const part: LinePart = before === undefined ? { wrapping, text: line } : { ...before, text: before.text + line }
    if (isPartial && part.text.length < MAX_RECORD_CHARS && this.#options.multiline !== false) {
      this.#parts.set(origin, part)
      return
    }
    this.#parts.delete(origin)
    this.#push(part.wrapping, part.text)
  }

  #push(wrapping: Wrapping, line: string): void {
    const { origin } = wrapping
    const open = this.#open.get(origin)
    if (line.trim() === '') {
      open?.blank()
      return
    }
    if (this.#options.multiline === false) {
      const read = this.#read(line, wrapping.row)
      if (read === undefined) return
      const row = this.#begun(read, wrapping)
      this.#records.push(read.isWhole ? row : finished(new OpenRecord(row, line, false)), ...(read.more ?? []))
      return
    }
    if (open !== undefined && !open.isFull && (open.takes(line) || this.#goesOnInQuotes(open, line))) {
      open.add(line, wrapping.time)
      return
    }
    const read = this.#read(line, wrapping.row)
    if (read === undefined) return
    const isNew = read.begins || open?.endsBefore(line, wrapping.time) === true
    if (open !== undefined && !isNew && (open.hasTime || open.isFull)) {
      if (!open.isFull) {
        open.add(line, wrapping.time)
        return
      }
      // A record that is too long is split; the next record has the same time, level and origin.
      const rest = new Map(open.row)
      rest.delete('content')
      this.#replace(origin, open, new OpenRecord(rest, line, open.hasTime, wrapping.time))
      return
    }
    const row = this.#begun(read, wrapping)
    const next = read.isWhole ? undefined : new OpenRecord(row, line, read.hasTime, wrapping.time)
    if (read.openQuote !== undefined) next?.openQuotes(read.openQuote)
    this.#replace(origin, open, next)
    if (read.isWhole) this.#records.push(row, ...(read.more ?? []))
  }

  /** True if a line is inside a quoted value: the line begins with neither a pair nor an object nor a time. */
  #goesOnInQuotes(open: OpenRecord, line: string): boolean {
    if (!open.isInQuotes || PAIR_OR_OBJECT.test(line)) return false
    return readForm(line, this.#options) === undefined && !readPlain(line, this.#options).hasTime
  }

  /** Returns the row of a new record, with missing fields filled from its envelope and the previous record. */
  #begun({ row, isWhole, more }: ReadLine, { time, fields }: Wrapping): MutableRow {
    for (const [name, value] of fields) if (!row.has(name)) row.set(name, value)
    if (time !== undefined && !hasTime(row)) row.set('_time', time)
    if (!isWhole && !row.has('_time')) {
      const before = this.#before instanceof Map ? this.#options.timeOf?.(this.#before) : this.#before
      if (before !== undefined) row.set('_time', before)
    }
    this.#before = more?.at(-1) ?? row
    return row
  }

  #replace(origin: string, open: OpenRecord | undefined, next: OpenRecord | undefined): void {
    if (open !== undefined) this.#close(open)
    if (next === undefined) this.#open.delete(origin)
    else if (this.#open.size >= MAX_OPEN_STREAMS && !this.#open.has(origin)) this.#close(next)
    else this.#open.set(origin, next)
  }

  #close(record: OpenRecord): void {
    this.#records.push(this.#pairsOver(record) ?? finished(record))
  }

  /**
   * Returns the members of a record whose pairs span several lines; `undefined` for other records. If the expected
   * format is logfmt, a record that cannot be read as pairs is reported.
   */
  #pairsOver({ openQuote, text, row }: OpenRecord): MutableRow | undefined {
    if (openQuote === undefined) return undefined
    const members = logfmt.decode(text)
    if (isBadLine(members)) {
      if (this.#options.format === logfmt) this.#options.onOther?.(openQuote, text)
      return undefined
    }
    for (const [name, value] of row) {
      const isOfText = name === 'content' || name === 'level'
      if (!isOfText && !members.has(name) && !(name === '_time' && hasTime(members))) members.set(name, value)
    }
    return members
  }

  /** Reads a line; returns `undefined` when the line describes the log itself. */
  #read(line: string, known: MutableRow | undefined): ReadLine | undefined {
    if (known !== undefined) return { row: known, begins: true, hasTime: false, isWhole: true }
    const { format, onOther } = this.#options
    if (line.charCodeAt(0) === 123) {
      const record = jsonLines.decode(line)
      if (!isBadLine(record)) return { row: record, begins: true, hasTime: false, isWhole: true }
      const [row, ...more] = looseRecords(line) ?? []
      if (row !== undefined) return { row, begins: true, hasTime: false, isWhole: true, more }
      if (format === jsonLines) onOther?.(record, line)
    } else if (format === jsonLines) onOther?.({ reason: 'no JSON object' }, line)
    const members = readAudit(line, this.#options) ?? readLtsv(line)
    if (members !== undefined) return { row: members, begins: true, hasTime: false, isWhole: true }
    if (format === logfmt || logfmt.resembles(line) >= LOGFMT_MIN_SHARE) {
      const record = logfmt.decode(line)
      if (!isBadLine(record)) return { row: record, begins: true, hasTime: false, isWhole: true }
      if (record.isOpen === true && this.#options.multiline !== false)
        return { ...readPlain(line, this.#options), begins: true, hasTime: false, isWhole: false, openQuote: record }
      if (format === logfmt) onOther?.(record, line)
    }
    const table = this.#extended.read(line, this.#options)
    if (table === true) return undefined
    const form = table ?? readForm(line, this.#options)
    if (form !== undefined) return { row: form, begins: true, hasTime: true, isWhole: false }
    const { row, hasTime } = readPlain(line, this.#options)
    return { row, begins: hasTime, hasTime, isWhole: false }
  }
}

/** Members that contain the time of a record. When one is present, the time of the container runtime is not used. */
export const TIME_NAMES: readonly string[] = ['_time', 'time', 'timestamp', '@timestamp', 'ts', '@t', 'Timestamp']

/** True if a record has a time of its own. Members of JSON are mapped to fields later. */
function hasTime(row: MutableRow): boolean {
  return TIME_NAMES.some((name) => row.has(name))
}

/** Returns the record with its text: all lines, or in some forms only the message. */
function finished(record: OpenRecord): MutableRow {
  const { row, text } = record
  row.set('content', xmlText(text) ?? text)
  if (text.startsWith('# ')) for (const [name, value] of slowFields(row, text)) row.set(name, value)
  return row
}

function slowFields(row: MutableRow, text: string): Iterable<readonly [string, Value]> {
  const { timestamp, ...fields } = slowQueryFields(text)
  return rowOf(row.has('_time') || timestamp === undefined ? fields : { ...fields, _time: timestamp })
}
