import { Instant, type MutableRow, type TimeContext, type Value } from '../../data/index.ts'
import { jsonLines } from '../json-lines.ts'
import { isBadLine, type BadLine, type LineFormat } from '../line-format.ts'
import { logfmt } from '../logfmt.ts'
import { readCri, readDocker, type Envelope } from './envelopes.ts'
import { readForm } from './forms.ts'
import { rowOf } from './form.ts'
import { OpenRecord } from './join.ts'
import { readPlain } from './plain.ts'
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
}

interface ReadLine {
  readonly row: MutableRow
  /** Whether the line has a form of its own or a time, so that a record begins with it. */
  readonly begins: boolean
  /** Whether lines without a time that follow belong to it. */
  readonly hasTime: boolean
  /** Whether it is a record of members, with its text among them, which nothing can follow. */
  readonly isWhole: boolean
}

interface Part {
  readonly time: Instant | undefined
  readonly text: string
}

/**
 * Records of lines as programs print them, whatever they are: lines are handed in one by one, in their order, and
 * records come out when it is known that no more of them follows. Memory is bounded by `MAX_RECORD_CHARS` a stream.
 */
export class TextRecords {
  readonly #options: TextOptions
  readonly #extended = new ExtendedLog()
  /** By the stream of a container, `''` without one. */
  readonly #open = new Map<string, OpenRecord>()
  readonly #parts = new Map<string, Part>()
  #records: MutableRow[] = []

  constructor(options: TextOptions) {
    this.#options = options
  }

  /** A line without its end. */
  push(line: string): void {
    const envelope = line.charCodeAt(0) === 123 ? readDocker(line, this.#options) : readCri(line, this.#options)
    if (envelope === undefined) this.#push('', line, undefined)
    else this.#unwrap(envelope)
  }

  /** Whether a line has said which columns the others have: then what a line means depends on it. */
  get isTable(): boolean {
    return this.#extended.hasColumns
  }

  /** Records that wait to be taken. */
  get count(): number {
    return this.#records.length
  }

  /** Whether more lines may come to a record. */
  get isOpen(): boolean {
    return this.#open.size + this.#parts.size > 0
  }

  /** Completes the record of a stream before a line that has a form of its own. False where the line may belong to the record. */
  begin(stream: string): boolean {
    if (this.#parts.has(stream)) return false
    const open = this.#open.get(stream)
    if (open?.mayTakeAny === true) return false
    if (open !== undefined) this.#replace(stream, open, undefined)
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
    for (const [stream, part] of this.#parts) this.#push(stream, part.text, part.time)
    this.#parts.clear()
    for (const record of this.#open.values()) this.#close(record)
    this.#open.clear()
  }

  #unwrap({ time, stream, isPartial, line }: Envelope): void {
    const before = this.#parts.get(stream)
    const part: Part = before === undefined ? { time, text: line } : { time: before.time, text: before.text + line }
    if (isPartial && part.text.length < MAX_RECORD_CHARS && this.#options.multiline !== false) {
      this.#parts.set(stream, part)
      return
    }
    this.#parts.delete(stream)
    this.#push(stream, part.text, part.time)
  }

  #push(stream: string, line: string, time: Instant | undefined): void {
    const open = this.#open.get(stream)
    if (line.trim() === '') {
      open?.blank()
      return
    }
    if (this.#options.multiline === false) {
      const read = this.#read(line)
      if (read === undefined) return
      const row = wrapped(read.row, stream, time)
      this.#records.push(read.isWhole ? row : finished(new OpenRecord(row, line, false)))
      return
    }
    if (open !== undefined && !open.isFull && open.takes(line)) {
      open.add(line)
      return
    }
    const read = this.#read(line)
    if (read === undefined) return
    if (open !== undefined && !read.begins && (open.hasTime || open.isFull)) {
      if (!open.isFull) {
        open.add(line)
        return
      }
      // A record that is too long goes on as another of the same time, level and origin.
      const rest = new Map(open.row)
      rest.delete('content')
      this.#replace(stream, open, new OpenRecord(rest, line, open.hasTime))
      return
    }
    const row = wrapped(read.row, stream, time)
    this.#replace(stream, open, read.isWhole ? undefined : new OpenRecord(row, line, read.hasTime))
    if (read.isWhole) this.#records.push(row)
  }

  #replace(stream: string, open: OpenRecord | undefined, next: OpenRecord | undefined): void {
    if (open !== undefined) this.#close(open)
    if (next === undefined) this.#open.delete(stream)
    else if (this.#open.size >= MAX_OPEN_STREAMS && !this.#open.has(stream)) this.#close(next)
    else this.#open.set(stream, next)
  }

  #close(record: OpenRecord): void {
    this.#records.push(finished(record))
  }

  /** `undefined` for a line that is about the log and not of it. */
  #read(line: string): ReadLine | undefined {
    const { format, onOther } = this.#options
    if (line.charCodeAt(0) === 123) {
      const record = jsonLines.decode(line)
      if (!isBadLine(record)) return { row: record, begins: true, hasTime: false, isWhole: true }
    }
    if (format === logfmt || logfmt.resembles(line) >= LOGFMT_MIN_SHARE) {
      const record = logfmt.decode(line)
      if (!isBadLine(record)) return { row: record, begins: true, hasTime: false, isWhole: true }
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

function wrapped(row: MutableRow, stream: string, time: Instant | undefined): MutableRow {
  if (stream === '') return row
  row.set('stream', stream)
  if (time !== undefined && !hasTime(row)) row.set('_time', time)
  return row
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
  row.set('content', text)
  if (text.startsWith('# ')) for (const [name, value] of slowFields(row, text)) row.set(name, value)
  return row
}

function slowFields(row: MutableRow, text: string): Iterable<readonly [string, Value]> {
  const { timestamp, ...fields } = slowQueryFields(text)
  return rowOf(row.has('_time') || timestamp === undefined ? fields : { ...fields, _time: timestamp })
}
