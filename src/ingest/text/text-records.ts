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

export interface TextOptions extends TimeContext {
  /** False when every line is a record of its own. */
  readonly multiline?: boolean | undefined
  /** What the lines are expected to be; they are still told apart one by one. */
  readonly format?: LineFormat | undefined
  /** Told of each line that is not of that format; it is kept as text. */
  readonly onOther?: ((fault: BadLine, line: string) => void) | undefined
  /** The time that a record of members brings; `undefined` for one that brings none. */
  readonly timeOf?: ((record: MutableRow) => Instant | undefined) | undefined
}

interface ReadLine {
  readonly row: MutableRow
  /** Whether the line has a form of its own or a time, so that a record begins with it. */
  readonly begins: boolean
  /** Whether lines without a time that follow belong to it. */
  readonly hasTime: boolean
  /** Whether it is a record of members, with its text among them, which nothing can follow. */
  readonly isWhole: boolean
  /** Further records of the same line. */
  readonly more?: readonly MutableRow[]
  /** Set where it has pairs of which the last is a text that goes on in the next line. */
  readonly openQuote?: BadLine
}

/** What of an envelope stays when its line is read. */
type Wrapping = Pick<Envelope, 'time' | 'origin' | 'fields' | 'row'>

interface Part {
  readonly wrapping: Wrapping
  readonly text: string
}

const PAIR_OR_OBJECT = /^\s*(?:\{|[A-Za-z_][\w.-]*=)/

const UNWRAPPED: Wrapping = { time: undefined, origin: '', fields: new Map() }

/**
 * Records of lines as programs print them, whatever they are: lines are handed in one by one, in their order, and
 * records come out when it is known that no more of them follows. Memory is bounded by `MAX_RECORD_CHARS` a stream.
 */
export class TextRecords {
  readonly #options: TextOptions
  readonly #extended = new ExtendedLog()
  /** By the origin of their lines. */
  readonly #open = new Map<string, OpenRecord>()
  readonly #parts = new Map<string, Part>()
  #records: MutableRow[] = []
  /** The record before, or its time: a line of text without a time gets that. */
  #before: MutableRow | Instant | undefined

  constructor(options: TextOptions) {
    this.#options = options
  }

  /** A line without its end. */
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

  /** Tells the time of the record before the next line, which was read elsewhere. */
  follows(time: Instant | undefined): void {
    this.#before = time
  }

  /** Whether a line has said which columns the others have: then what a line means depends on it. */
  get isTable(): boolean {
    return this.#extended.hasColumns
  }

  /** Whether more lines may come to a record. */
  get isOpen(): boolean {
    return this.#open.size + this.#parts.size > 0
  }

  /** Completes the record of an origin before a line that has a form of its own. False where the line may belong to the record. */
  begin(origin: string): boolean {
    if (this.#parts.has(origin)) return false
    const open = this.#open.get(origin)
    if (open?.mayTakeAny === true) return false
    if (open !== undefined) this.#replace(origin, open, undefined)
    return true
  }

  /** Records that are complete, each given once. */
  take(): MutableRow[] {
    const records = this.#records
    this.#records = []
    return records
  }

  /** Completes what is open: at the end of an input, and when nothing has come for a while. */
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
    const part: Part = before === undefined ? { wrapping, text: line } : { ...before, text: before.text + line }
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
      // A record that is too long goes on as another of the same time, level and origin.
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

  /** Whether a line is inside of a quoted value: it begins neither with a pair nor an object nor with a time. */
  #goesOnInQuotes(open: OpenRecord, line: string): boolean {
    if (!open.isInQuotes || PAIR_OR_OBJECT.test(line)) return false
    return readForm(line, this.#options) === undefined && !readPlain(line, this.#options).hasTime
  }

  /** The row of a record that begins, with what its envelope and the record before say of it. */
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

  /** The members of a record whose pairs go over several lines; `undefined` for others, which are told where they should be pairs. */
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

  /** `undefined` for a line that is about the log and not of it. */
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

/** Members that are the time of a record, so that what a container's runtime wrote before it is none. */
export const TIME_NAMES: readonly string[] = ['_time', 'time', 'timestamp', '@timestamp', 'ts', '@t', 'Timestamp']

/** Whether a record tells its time itself; members of JSON are placed later. */
function hasTime(row: MutableRow): boolean {
  return TIME_NAMES.some((name) => row.has(name))
}

/** The record with its text: the whole lines, or of some forms the message. */
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
