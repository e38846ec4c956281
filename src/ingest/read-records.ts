import { runToEnd, joinedInto, KEPT_EXAMPLES } from '../base/index.ts'
import { Instant, rowToJson, RecordFaultCount, type MutableRow, type Width } from '../data/index.ts'
import {
  GeneralRecords,
  MAX_RECORD_BYTES,
  logsTable,
  recordFault,
  timeContextOf,
  timeOfRecord,
  type ReadContext,
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
  /** Names that occurred in records, as members and as fields. Empty if no options for reading records were given. */
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

export interface ReadOptions extends ReadContext {
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
export function textFormat(context: ReadContext): LineFormat {
  return plainText(timeContextOf(context))
}

/** An input whose format has been detected. */
export interface OpenedInput {
  readonly format: InputFormat
  readonly chunks: AsyncIterable<Uint8Array>
}

/**
 * Reads enough of an input to detect its format. The returned chunks contain the whole input, including what was read.
 */
export async function openFormat(
  chunks: AsyncIterable<Uint8Array>,
  name: FormatName,
  context: ReadContext,
): Promise<OpenedInput> {
  const plain = textFormat(context)
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
      // The bytes before the error are still read, as if the input ended there.
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

/** Yields chunks of complete lines and counts their bytes. Lines that are too long are rejected. */
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

/** Yields JSON documents as chunks of JSON lines. */
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

/** Yields the entries of a journal as chunks of JSON lines. At most one entry is buffered. */
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
    // The entry is invalid and gets reported. Since the start of the next entry is unknown, reading stops.
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
  readonly #context: ReadContext
  #records: MutableRow[] = []
  unfoldedLines = 0

  get keptLines(): number {
    return this.#report.keptLines
  }

  set keptLines(lines: number) {
    this.#report.keptLines = lines
  }

  constructor(report: IngestReport, context: ReadContext) {
    this.#report = report
    this.#context = context
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
    return timeOfRecord(logsTable, record, this.#context)
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
  { format: name, report, ...context }: ReadOptions,
): AsyncGenerator<MutableRow[]> {
  const input = await openFormat(chunks, name, context)
  const format = recordFormat(input.format, name, context.options)
  const sink = new CollectedRecords(report, context)
  const records = new GeneralRecords(format, sink, context)
  for await (const chunk of recordChunks(input, report)) {
    records.push(chunk)
    yield sink.take()
  }
  records.flush()
  yield sink.take()
}

/**
 * Yields the complete lines of an input and counts them; JSON documents become lines. Each chunk is valid until the
 * next chunk is requested.
 */
export function recordChunks({ format, chunks }: OpenedInput, report: IngestReport): AsyncGenerator<Uint8Array> {
  switch (format.kind) {
    case 'json-documents':
      return documentLines(chunks, report)
    case 'journal':
      return journalLines(chunks, report)
    default:
      return countedLines(chunks, report)
  }
}
