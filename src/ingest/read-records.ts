import { runToEnd, joinedInto, KEPT_EXAMPLES } from '../base/index.ts'
import { Instant, rowToJson, RecordFaultCount, type MutableRow, type Width } from '../data/index.ts'
import {
  GeneralRecords,
  MAX_RECORD_BYTES,
  logsTable,
  recordFault,
  timeContextOf,
  timeOfRecord,
  type RecordReading,
  type RecordSink,
} from '../store/index.ts'
import { journalEntries, wholeEntries } from './agents/journal.ts'
import { inputFormat, type FormatName, type InputFormat } from './formats.ts'
import { JsonDocuments } from './json-documents.ts'
import type { LineFormat } from './line-format.ts'
import { plainText } from './plain-text.ts'
import { recordFormat } from './records/index.ts'
import { wholeLines } from './whole-lines.ts'
import { FORMAT_SAMPLE_BYTES } from './tuning.ts'

export interface IngestReport extends RecordFaultCount {
  lines: number
  records: number
  badLines: number
  /** The number of bad lines that were kept as text. */
  keptLines: number
  /** The number of lines with bytes that are not UTF-8, which are read as `�`. */
  damagedLines: number
  bytes: number
  /** The number of records that fit no template and were parsed one by one. */
  generalRecords: number
  /**
   * The names that records had, in their original and in their field form; empty when no options for records were
   * given.
   */
  readonly names: Set<string>
  /** The time spent on reading files, in milliseconds. */
  milliseconds: number
  /** Files of a folder or pattern that could not be read completely, with the reason. */
  readonly passedOver: { readonly reason: string; readonly isText: boolean }[]
  /** The first few bad lines: 1-based number, reason, and at most 120 characters of the line. */
  readonly examples: { readonly lineNumber: number; readonly reason: string; readonly excerpt: string }[]
}

export function emptyReport(): IngestReport {
  const counts = {
    lines: 0,
    records: 0,
    badLines: 0,
    keptLines: 0,
    damagedLines: 0,
    bytes: 0,
    generalRecords: 0,
    milliseconds: 0,
    names: new Set<string>(),
    passedOver: [],
    examples: [],
  }
  return Object.assign(new RecordFaultCount(), counts)
}

export interface ReadOptions extends RecordReading {
  readonly format: FormatName
  readonly report: IngestReport
}

/** Counts a line, or a similar unit of input, that could not be read. */
export function rejectLine(report: IngestReport, reason: string, excerpt: string, lineNumber = report.lines): void {
  report.badLines++
  if (report.examples.length < KEPT_EXAMPLES) {
    report.examples.push({ lineNumber, reason, excerpt: excerpt.slice(0, 120) })
  }
}

/** Returns the format of plain text lines for these settings. */
export function textFormat(reading: RecordReading): LineFormat {
  return plainText(timeContextOf(reading))
}

/** An input whose format has been detected. */
export interface OpenedInput {
  readonly format: InputFormat
  readonly chunks: AsyncIterable<Uint8Array>
}

/** Reads enough of an input to detect its format. The returned chunks contain that beginning again. */
export async function openFormat(
  chunks: AsyncIterable<Uint8Array>,
  name: FormatName,
  reading: RecordReading,
): Promise<OpenedInput> {
  const plain = textFormat(reading)
  const iterator = chunks[Symbol.asyncIterator]()
  const decoder = new TextDecoder('utf-8')
  const held: Uint8Array[] = []
  let text = ''
  let isWhole = false
  let failure: unknown
  let format: InputFormat | undefined
  const nextChunk = async (): Promise<IteratorResult<Uint8Array>> => {
    try {
      return await iterator.next()
    } catch (error) {
      if (held.length === 0) throw error
      // The bytes before the error are read as an input of their own.
      failure = error
      return { done: true, value: undefined }
    }
  }
  while (format === undefined) {
    const next = await nextChunk()
    isWhole = next.done === true
    if (next.done !== true) {
      // The producer of the chunks may reuse their memory.
      held.push(next.value.slice())
      text += decoder.decode(next.value.subarray(0, FORMAT_SAMPLE_BYTES), { stream: true })
    }
    const isEnough = isWhole || text.length >= FORMAT_SAMPLE_BYTES
    if (isEnough || text.trimStart().includes('\n')) format = inputFormat(name, text, isEnough, plain)
  }
  const rest = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* held
      if (failure !== undefined) throw failure
      if (isWhole) return
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { format, chunks: rest() }
}

/** Yields pieces of complete lines and counts their bytes. Lines that are too long are rejected. */
export async function* countedLines(
  chunks: AsyncIterable<Uint8Array>,
  report: IngestReport,
): AsyncGenerator<Uint8Array> {
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      report.bytes += chunk.length
      yield chunk
    }
  }
  yield* wholeLines(counted(), (beginning) => {
    report.lines++
    rejectLine(report, `longer than ${MAX_RECORD_BYTES} bytes`, new TextDecoder('utf-8').decode(beginning))
  })
}

/** Yields JSON documents as pieces of JSON lines. */
async function* documentLines(chunks: AsyncIterable<Uint8Array>, report: IngestReport): AsyncGenerator<Uint8Array> {
  const documents = new JsonDocuments((reason, excerpt) => rejectLine(report, reason, excerpt))
  for await (const chunk of chunks) {
    report.bytes += chunk.length
    const lines = documents.push(chunk)
    if (lines.length > 0) yield lines
  }
  const lines = documents.end()
  if (lines.length > 0) yield lines
}

/** Yields the entries of a journal as pieces of JSON lines. At most one entry is held. */
async function* journalLines(chunks: AsyncIterable<Uint8Array>, report: IngestReport): AsyncGenerator<Uint8Array> {
  const linesOf = (bytes: Uint8Array): Uint8Array => {
    let lines = ''
    for (const item of journalEntries(bytes)) {
      if (item instanceof Map) lines += `${rowToJson(item)}\n`
      else if (item !== undefined) rejectLine(report, item.reason, item.excerpt)
    }
    return new TextEncoder().encode(lines)
  }
  let held: Uint8Array = new Uint8Array(0)
  for await (const chunk of chunks) {
    report.bytes += chunk.length
    held = joinedInto(new Uint8Array(held.length + chunk.length), [held, chunk])
    const whole = runToEnd(wholeEntries(held))
    // An invalid entry is reported. Since the start of the next entry is unknown, reading stops.
    if (whole === -1) break
    if (whole > 0) yield linesOf(held.subarray(0, whole))
    held = held.slice(whole)
  }
  if (held.length > 0) yield linesOf(held)
}

/**
 * Yields the items as they arrive. Also yields `undefined` when no item arrives for `pauseMs` milliseconds while
 * `isWaiting` returns true.
 */
export async function* withPauses<T>(
  items: AsyncIterable<T>,
  pauseMs: number | undefined,
  isWaiting: () => boolean,
): AsyncGenerator<T | undefined> {
  if (pauseMs === undefined) {
    yield* items
    return
  }
  const iterator = items[Symbol.asyncIterator]()
  let next = iterator.next()
  try {
    for (;;) {
      if (isWaiting()) {
        let timer: ReturnType<typeof setTimeout> | undefined
        const paused = new Promise<'paused'>((resolve) => {
          timer = setTimeout(() => resolve('paused'), pauseMs)
        })
        const first = await Promise.race([next, paused])
        clearTimeout(timer)
        if (first === 'paused') {
          yield undefined
          continue
        }
      }
      const item = await next
      if (item.done === true) return
      yield item.value
      next = iterator.next()
    }
  } finally {
    await iterator.return?.()
  }
}

/** Collects records and counts those that cannot be stored. */
class CollectedRecords implements RecordSink {
  readonly #report: IngestReport
  readonly #reading: RecordReading
  #records: MutableRow[] = []
  unfoldedLines = 0

  get keptLines(): number {
    return this.#report.keptLines
  }

  set keptLines(lines: number) {
    this.#report.keptLines = lines
  }

  constructor(report: IngestReport, reading: RecordReading) {
    this.#report = report
    this.#reading = reading
  }

  get lines(): number {
    return this.#report.lines
  }

  set lines(lines: number) {
    this.#report.lines = lines
  }

  record(record: MutableRow, excerpt: string): void {
    const reason = recordFault(record)
    if (reason === undefined) this.#records.push(record)
    else this.reject(reason, excerpt)
  }

  countWidth(width: Width): void {
    this.#report.addWidth(width)
  }

  tellDoubledColumn(name: string): void {
    this.#report.doubledColumn ??= name
  }

  timeOf(record: MutableRow): Instant | undefined {
    return timeOfRecord(logsTable, record, this.#reading)
  }

  reject(reason: string, excerpt: string, lineNumber = this.lines + 1): void {
    rejectLine(this.#report, reason, excerpt, lineNumber)
  }

  take(): MutableRow[] {
    const records = this.#records
    this.#records = []
    this.#report.records += records.length
    return records
  }
}

/** Yields the records of a byte stream as objects, in groups. With `auto` the beginning determines the format. */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  { format: name, report, ...reading }: ReadOptions,
): AsyncGenerator<MutableRow[]> {
  const input = await openFormat(chunks, name, reading)
  const format = recordFormat(input.format, name, reading.options)
  const sink = new CollectedRecords(report, reading)
  const records = new GeneralRecords(format, sink, reading)
  for await (const piece of pieces(input, report)) {
    records.push(piece)
    yield sink.take()
  }
  records.flush()
  yield sink.take()
}

/**
 * Yields the complete lines of an input and counts them; JSON documents become lines. Each piece is valid until the
 * next one is requested.
 */
export function pieces({ format, chunks }: OpenedInput, report: IngestReport): AsyncGenerator<Uint8Array> {
  switch (format.kind) {
    case 'json-documents':
      return documentLines(chunks, report)
    case 'journal':
      return journalLines(chunks, report)
    default:
      return countedLines(chunks, report)
  }
}
