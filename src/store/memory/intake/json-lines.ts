import { Bytes, CHUNK_BYTES, KEPT_EXAMPLES, MAX_CACHED, MAX_JSON_DEPTH, clampNs } from '../../../base/index.ts'
import {
  UnreadableTimesCount,
  isJsonObject,
  parseJsonExact,
  utf8,
  type ExactJson,
  type ExactJsonObject,
  type MutableRow,
  type TimeContext,
  type UnreadableTimes,
  type Value,
} from '../../../data/index.ts'
import type { RecordTableDefinition } from '../../../plan/index.ts'
import { changesFields, tableAsSaid, type RecordOptions } from '../../record-options.ts'
import { MAX_ROW_FIELDS, flattenRecord, recordFault, type RecordReading } from '../../record.ts'
import { placingOf } from '../../shapes/index.ts'
import { EpochClock } from './epoch-clock.ts'
import { JsonFieldReader, spanKind, type JsonKey } from './json-fields.ts'
import { LineScanner, recordsAt } from '../lines/line-scanner.ts'
import { ScannedLineAppender, type LineTally, type ScannedLines } from '../lines/scanned-lines.ts'
import { appendRecord } from './append-record.ts'
import { LineColumns, type PlacedLine } from './placed-line.ts'
import type { RowBuilder } from '../table/row-builder.ts'
import { epochTimeOf, type EpochTime } from '../segment.ts'
import type { ScanOptions } from './scan-options.ts'
import { TimeReader } from './time-bytes.ts'

export interface JsonLinesOptions extends RecordReading {
  /** Number of the first line, 1 if not given. */
  readonly firstLine?: number
  /** The records of an object that is an envelope of several; `undefined` for one that is a record. */
  readonly unfold?: UnfoldRecords | undefined
}

export type UnfoldRecords = (value: ExactJsonObject) => readonly MutableRow[] | undefined

export interface BadJsonLine {
  readonly lineNumber: number
  readonly reason: string
  /** At most 120 characters of the line. */
  readonly excerpt: string
}

export interface AppendReport extends UnreadableTimes {
  /** Lines met, blank ones included. */
  readonly lines: number
  readonly rows: number
  readonly badLines: number
  /** Lines that were several records. */
  readonly unfoldedLines: number
  /** The first few. */
  readonly examples: readonly BadJsonLine[]
}

/** Inputs from here on are worth a scanner. */
const MIN_SCANNED_BYTES = 16 * 1024

/** Counts lines as they are read. */
class Tally extends UnreadableTimesCount implements LineTally, AppendReport {
  readonly examples: BadJsonLine[] = []
  readonly #first: number
  lines = 0
  rows = 0
  badLines = 0
  unfoldedLines = 0

  constructor(firstLine: number) {
    super()
    this.#first = firstLine
  }

  goodLine(): void {
    this.lines++
    this.rows++
  }

  /** `reason` is `undefined` when the line became a row, `''` when it is blank. */
  line(reason: string | undefined, bytes: Bytes, start: number, end: number): void {
    if (reason === undefined) this.rows++
    else if (reason !== '') {
      this.badLines++
      if (this.examples.length < KEPT_EXAMPLES) {
        this.examples.push({
          lineNumber: this.#first + this.lines,
          reason,
          excerpt: utf8(bytes, start, Math.min(end, start + 480)).slice(0, 120),
        })
      }
    }
    this.lines++
  }
}

/** The names of a line with what became of them; `undefined` when the general reader must decide. */
interface KnownLine {
  readonly keys: readonly JsonKey[]
  readonly line: PlacedLine | undefined
}

/** Reads JSON lines straight into the columns of a table's tail. */
export class JsonLineAppender {
  readonly #sink: RowBuilder
  readonly #definition: RecordTableDefinition
  readonly #options: RecordOptions | undefined
  /** Then lines are records before they are rows. */
  readonly #changesFields: boolean
  readonly #reader = new JsonFieldReader()
  readonly #time = new TimeReader()
  readonly #clock = new EpochClock()
  readonly #columns: LineColumns
  readonly #lines = new Map<string, KnownLine>()
  #lastLine: KnownLine = { keys: [], line: undefined }
  #unfold: UnfoldRecords | undefined
  #scanner: LineScanner | 'no room' | undefined
  #scanned: ScannedLineAppender | undefined

  /** Reads every line with the same options. */
  constructor(sink: RowBuilder, options: RecordOptions | undefined) {
    this.#sink = sink
    this.#options = options
    this.#changesFields = changesFields(options)
    this.#definition = tableAsSaid(sink.definition, options)
    this.#columns = new LineColumns(sink, this.#definition)
  }

  #contextOf({ nowNs }: JsonLinesOptions): TimeContext {
    return { nowNs, zone: this.#options?.zone }
  }

  /** What a scanner of such lines has to know. */
  get scanOptions(): ScanOptions {
    return { ...this.#sink.scanOptions, placing: placingOf(this.#definition) }
  }

  append(input: Uint8Array, options: JsonLinesOptions): AppendReport {
    const bytes = Bytes.from(input.buffer, input.byteOffset, input.byteLength)
    const tally = new Tally(options.firstLine ?? 1)
    this.#unfold = options.unfold
    let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    const context = this.#contextOf(options)
    if (bytes.length >= MIN_SCANNED_BYTES && !this.#changesFields) start = this.#scan(bytes, start, context, tally)
    this.#appendLines(bytes, start, context, tally)
    return tally
  }

  /** Lines that a scanner has read already; their values are taken from its memory. */
  appendScanned(lines: ScannedLines, options: JsonLinesOptions): AppendReport {
    const tally = new Tally(options.firstLine ?? 1)
    this.#unfold = options.unfold
    this.#appendScanned(lines, this.#contextOf(options), tally)
    return tally
  }

  #appendScanned(lines: ScannedLines, context: TimeContext, tally: Tally): void {
    this.#scanned ??= new ScannedLineAppender(this.#sink, this.#definition)
    const general = (bytes: Bytes, start: number, end: number): string | undefined =>
      this.#appendLine(bytes, start, end, context, tally)
    this.#scanned.append(lines, context, general, tally)
  }

  #appendLines(bytes: Bytes, from: number, context: TimeContext, tally: Tally): void {
    let start = from
    while (start < bytes.length) {
      const found = bytes.indexOf(10, start)
      const end = found === -1 ? bytes.length : found
      tally.line(this.#appendLine(bytes, start, end, context, tally), bytes, start, end)
      start = end + 1
    }
  }

  /** A process that has no room for another memory of a kernel reads on without. */
  #scannerIfAny(): LineScanner | undefined {
    if (this.#scanner === undefined) {
      try {
        this.#scanner = new LineScanner(this.scanOptions, CHUNK_BYTES)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        this.#scanner = 'no room'
      }
    }
    return this.#scanner === 'no room' ? undefined : this.#scanner
  }

  /** Reads whole lines through a scanner; gives where the rest begins that it cannot take. */
  #scan(bytes: Bytes, from: number, context: TimeContext, tally: Tally): number {
    const scanner = this.#scannerIfAny()
    if (scanner === undefined) return from
    const { text, bytes: memory, words } = scanner
    const first = recordsAt(CHUNK_BYTES) >> 2
    let start = from
    while (start < bytes.length) {
      const end = bytes.lastIndexOf(10, Math.min(bytes.length, start + CHUNK_BYTES) - 1) + 1
      if (end <= start) {
        // No whole line fits: it is longer than the scanner's text, or the last one.
        const found = bytes.indexOf(10, start)
        if (found === -1) return start
        tally.line(this.#appendLine(bytes, start, found, context, tally), bytes, start, found)
        start = found + 1
        continue
      }
      bytes.copy(text, 0, start, end)
      for (let at = 0; at < end - start;) {
        const { position, records } = scanner.scan(at, end - start)
        this.#appendScanned(
          { bytes: memory, words, from: first, to: first + records, templates: scanner.templates },
          context,
          tally,
        )
        at = position
      }
      start = end
    }
    return start
  }

  /** `undefined` when the line became a row, `''` when it is blank, else what is wrong with it. */
  #appendLine(bytes: Bytes, start: number, end: number, context: TimeContext, tally: Tally): string | undefined {
    if (
      !this.#changesFields &&
      this.#reader.read(bytes, start, end) &&
      this.#reader.count > 0 &&
      this.#place(bytes, context)
    )
      return undefined
    const text = utf8(bytes, start, end)
    if (text.trim() === '') return ''
    return this.#appendGeneral(text, context, tally)
  }

  /** Puts the members read into the tail; false, and nothing done, when the general reader must decide. */
  #place(bytes: Bytes, context: TimeContext): boolean {
    const reader = this.#reader
    const { kinds, starts, ends, numbers, values, count } = reader
    const line = this.#lineOf(reader)
    if (line === undefined) return false
    const { members, timeAt, defaultLevel } = line
    let time: EpochTime = this.#clock
    if (timeAt === -1) time = epochTimeOf(clampNs(context.nowNs))
    else {
      const isPlain = kinds[timeAt] !== spanKind.text && kinds[timeAt] !== spanKind.value
      if (!isPlain || !this.#time.read(bytes, starts[timeAt], ends[timeAt], context)) return false
      this.#clock.set(this.#time.parts.seconds, this.#time.parts.nanos)
    }
    const tail = this.#sink.beginRowAt(time)
    const row = tail.rowCount
    for (let i = 0; i < count; i++) {
      const { columns, level } = members[i]
      const kind = kinds[i]
      for (let k = 0; k < columns.length; k++) {
        const builder = columns[k].of(tail)
        if (kind === spanKind.ascii) builder.addAscii(row, bytes, starts[i], ends[i])
        else if (kind === spanKind.number) builder.addNumber(row, numbers[i])
        else builder.add(row, values[i])
      }
      if (level === undefined) continue
      if (kind === spanKind.ascii) level.addAscii(tail, row, bytes, starts[i], ends[i])
      else level.add(tail, row, kind === spanKind.number ? numbers[i] : values[i])
    }
    if (defaultLevel !== undefined) defaultLevel.column.of(tail).add(row, defaultLevel.level)
    this.#sink.endRow(tail)
    return true
  }

  /** Where the members of the line go that was read; lines mostly have the names of the line before. */
  #lineOf({ keys, count }: JsonFieldReader): PlacedLine | undefined {
    const last = this.#lastLine
    if (last.keys.length === count) {
      let i = 0
      while (i < count && last.keys[i] === keys[i]) i++
      if (i === count) return last.line
    }
    const names = keys.slice(0, count).map(({ name }) => name)
    const all = names.join('\u0000')
    let known = this.#lines.get(all)
    if (known === undefined) {
      known = { keys: keys.slice(0, count), line: this.#columns.ofNames(names) }
      if (this.#lines.size >= MAX_CACHED) this.#lines.clear()
      this.#lines.set(all, known)
    }
    this.#lastLine = known
    return known.line
  }

  #appendGeneral(text: string, context: TimeContext, tally: Tally): string | undefined {
    if (isTooDeep(text)) return `nested deeper than ${MAX_JSON_DEPTH} levels`
    let value: ExactJson
    try {
      value = parseJsonExact(text)
    } catch (error) {
      return `not JSON: ${error instanceof Error ? error.message : String(error)}`
    }
    if (!isJsonObject(value)) return 'a JSON line must be an object'
    const several = this.#unfold?.(value)
    if (several !== undefined) {
      const faults = several.map((record) => this.#appendRecord(record, context, tally))
      tally.unfoldedLines++
      // The line itself is counted as one row, if it is good.
      const rows = faults.filter((fault) => fault === undefined).length
      if (rows > 0) tally.rows += rows - 1
      return rows > 0 ? undefined : faults[0]
    }
    const record: MutableRow = new Map<string, Value>()
    flattenRecord(record, value, MAX_ROW_FIELDS)
    return this.#appendRecord(record, context, tally)
  }

  #appendRecord(record: MutableRow, context: TimeContext, tally: Tally): string | undefined {
    const fault = recordFault(record)
    if (fault !== undefined) return fault
    const { unreadableTime } = appendRecord(this.#sink, record, { nowNs: context.nowNs, options: this.#options })
    tally.addValue(unreadableTime)
    return undefined
  }
}

/** Brackets outside texts, so that no recursive reader meets a depth it cannot take. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let isInText = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isInText) {
      if (code === 92) i++
      else if (code === 34) isInText = false
    } else if (code === 34) isInText = true
    else if (code === 123 || code === 91) {
      if (++depth > MAX_JSON_DEPTH) return true
    } else if (code === 125 || code === 93) depth--
  }
  return false
}
