import type { Bytes } from '../../base/index.ts'
import { dropColor, latin1, utf8, type Instant } from '../../data/index.ts'
import {
  jsonTemplate,
  lineRecordEnd,
  noEnvelopes,
  timeContextOf,
  type GeneralReader,
  type RecordFormat,
  type RecordOptions,
  type ReadContext,
  type RecordSink,
  type RecordTemplate,
} from '../../store/index.ts'
import { isBadLine, type LineFormat } from '../line-format.ts'
import { logfmt } from '../logfmt.ts'
import { TextRecords } from '../text/index.ts'
import { accessTemplate } from './access-template.ts'
import { criTemplate } from './cri-template.ts'
import { logfmtTemplate } from './logfmt-template.ts'
import { plainTemplate } from './plain-template.ts'
import { syslogTemplate } from './syslog-template.ts'
import { textTemplate } from './text-template.ts'

const OPEN_BRACE = 0x7b

/** Fill bytes: zeros after a power failure, and byte order marks between joined files. */
const FILL = /^[\0\uFEFF]+|\0+$/g

/** Returns a line without its line end, terminal colours and fill bytes, which would hide times, levels and words. */
function lineOf(bytes: Bytes, start: number, end: number): string {
  const line = dropColor(utf8(bytes, start, lineEnd(bytes, start, end)))
  const first = line.charCodeAt(0)
  return first === 0 || first === 0xfeff || line.charCodeAt(line.length - 1) === 0 ? line.replaceAll(FILL, '') : line
}

function lineEnd(bytes: Bytes, start: number, end: number): number {
  let to = end
  if (to > start && bytes[to - 1] === 10) to--
  if (to > start && bytes[to - 1] === 13) to--
  return to
}

/** Reads each line as a record. Lines that do not have the format are rejected. */
class LineReader implements GeneralReader {
  readonly #sink: RecordSink
  readonly #format: LineFormat
  readonly isOpen = false
  readonly readsAll = false

  constructor(sink: RecordSink, format: LineFormat) {
    this.#sink = sink
    this.#format = format
  }

  read(bytes: Bytes, start: number, end: number): void {
    const line = lineOf(bytes, start, end)
    if (line.trim() !== '') {
      const decoded = this.#format.decode(line)
      if (isBadLine(decoded)) this.#sink.reject(decoded.reason, line)
      else this.#sink.record(decoded, line)
    }
    this.#sink.lines++
  }

  begins(): boolean {
    return true
  }

  flush(): void {}
}

/** Reads lines of text; several lines may form one record. */
class TextReader implements GeneralReader {
  readonly #sink: RecordSink
  readonly #records: TextRecords
  readonly #keepsOthers: boolean

  constructor(sink: RecordSink, format: LineFormat, context: ReadContext, keepsOthers: boolean) {
    const { options } = context
    this.#sink = sink
    this.#keepsOthers = keepsOthers
    this.#records = new TextRecords({
      get nowNs() {
        return timeContextOf(context).nowNs
      },
      zone: options?.zone,
      multiline: options?.multiline,
      format,
      onOther: ({ reason }, line) => {
        if (keepsOthers) return
        sink.keptLines++
        sink.reject(reason, line)
      },
      timeOf: (record) => sink.timeOf(record),
    })
  }

  get isOpen(): boolean {
    return this.#records.isOpen
  }

  get readsAll(): boolean {
    return this.#records.isTable
  }

  read(bytes: Bytes, start: number, end: number): void {
    const line = lineOf(bytes, start, end)
    if (bytes[start] === 0 || bytes[end - 1] === 0 || bytes[end - 2] === 0) this.#tellFill(line)
    this.#records.push(line)
    this.#sink.lines++
    this.#store()
  }

  #tellFill(line: string): void {
    if (!this.#keepsOthers) this.#sink.reject('zero bytes, which are left out', line)
  }

  follows(time: Instant | undefined): void {
    this.#records.follows(time)
  }

  begins(origin: string, mayContinue: boolean): boolean {
    const isNew = this.#records.begin(origin, mayContinue)
    this.#store()
    return isNew
  }

  flush(): void {
    this.#records.flush()
    this.#store()
  }

  #store(): void {
    for (const record of this.#records.take()) this.#sink.record(record, '')
  }
}

/** Returns the records of lines in a format that the user named. Other lines are rejected. */
export function lineRecords(format: LineFormat): RecordFormat {
  return {
    joins: false,
    recordEnd: lineRecordEnd,
    templateOf: (bytes, start, end) => logfmtTemplate(latin1(bytes, start, lineEnd(bytes, start, end)), true),
    beginsAt: () => true,
    reader: (sink) => new LineReader(sink, format),
  }
}

/**
 * Returns the records of text lines. The format of each line is detected; `format` is the expected one. Lines in other
 * formats are kept as text and counted as bad; with `keepsOthers` they are not counted.
 */
export function textRecords(
  format: LineFormat,
  { multiline, keepsOthers = false }: Pick<RecordOptions, 'multiline'> & { readonly keepsOthers?: boolean } = {},
): RecordFormat {
  const lineTemplate = (line: string): RecordTemplate | undefined => {
    // An indented line may continue the record of the line before it.
    if (line.startsWith(' ')) return undefined
    // In a logfmt input every line is first tried as logfmt.
    if (format === logfmt) return logfmtTemplate(line, true)
    return logfmtTemplate(line, false) ?? accessTemplate(line) ?? textTemplate(line) ?? syslogTemplate(line)
  }
  const textLine = (line: Bytes): RecordTemplate | undefined => (format === logfmt ? undefined : plainTemplate(line))
  const templateOf = (bytes: Bytes, start: number, end: number): RecordTemplate | undefined => {
    const to = lineEnd(bytes, start, end)
    const line = latin1(bytes, start, to)
    // In text input every JSON object is one record. When no container runtime has wrapped the line, the object may
    // itself be a line of Docker's log format.
    const wrappedTemplate = (from: number): RecordTemplate | undefined =>
      bytes[start + from] === OPEN_BRACE
        ? jsonTemplate(bytes, start + from, to, noEnvelopes)
        : (lineTemplate(line.slice(from)) ?? textLine(bytes.subarray(start + from, to)))
    return criTemplate(line, wrappedTemplate) ?? lineTemplate(line)
  }
  const endsRecord = (bytes: Bytes, start: number, end: number): boolean => {
    const template = templateOf(bytes, start, end)
    return template !== undefined && template.mayContinue !== true
  }
  return {
    joins: multiline !== false,
    recordEnd: lineRecordEnd,
    templateOf,
    // Returns whether the open record ends before a line. Two lines in a row must have a time that a template reads,
    // since a failure report takes any next line as its message.
    beginsAt: (bytes, before, start, end) => endsRecord(bytes, before, start) && endsRecord(bytes, start, end),
    reader: (sink, context) => new TextReader(sink, format, context, keepsOthers),
  }
}
