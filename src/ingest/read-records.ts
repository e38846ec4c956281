import { KEPT_EXAMPLES } from '../base/index.ts'
import { UnreadableTimesCount, type MutableRow } from '../data/index.ts'
import { dropColor } from '../functions/index.ts'
import { recordFault, type RecordReading } from '../store/index.ts'
import { CsvRows, type Separator } from './csv.ts'
import { inputFormat, type FormatName, type InputFormat } from './formats.ts'
import { JsonDocuments } from './json-documents.ts'
import { jsonLines } from './json-lines.ts'
import { isBadLine, type LineFormat } from './line-format.ts'
import { plainText } from './plain-text.ts'
import { TextRecords } from './text/index.ts'
import { damagedLines, wholeLines } from './whole-lines.ts'
import { FORMAT_SAMPLE_BYTES, MAX_LINE_BYTES } from './tuning.ts'

export interface IngestReport extends UnreadableTimesCount {
  lines: number
  records: number
  badLines: number
  /** Lines with bytes that are not UTF-8, which are read as `�`. */
  damagedLines: number
  bytes: number
  /** Files of a folder or pattern that could not be read, or not to their end, and why. */
  readonly passedOver: { readonly reason: string; readonly isText: boolean }[]
  /** The first few bad lines: 1-based number, reason, and at most 120 characters of the line. */
  readonly examples: { readonly lineNumber: number; readonly reason: string; readonly excerpt: string }[]
}

export function emptyReport(): IngestReport {
  const counts = { lines: 0, records: 0, badLines: 0, damagedLines: 0, bytes: 0, passedOver: [], examples: [] }
  return Object.assign(new UnreadableTimesCount(), counts)
}

export interface ReadOptions extends RecordReading {
  readonly format: FormatName
  readonly report: IngestReport
  /** A record of several lines is complete when nothing has come for so long; at the end of the input unless given. */
  readonly pauseMs?: number | undefined
}

/** Counts a line, or what stands for one, that could not be read. */
export function rejectLine(report: IngestReport, reason: string, excerpt: string, lineNumber = report.lines): void {
  report.badLines++
  if (report.examples.length < KEPT_EXAMPLES) {
    report.examples.push({ lineNumber, reason, excerpt: excerpt.slice(0, 120) })
  }
}

/** Lines of text as they are read so. */
export function textFormat({ nowNs, options }: RecordReading): LineFormat {
  return plainText({ nowNs, zone: options?.zone })
}

/** An input of which the beginning has been looked at. */
export interface OpenedInput {
  readonly format: InputFormat
  readonly chunks: AsyncIterable<Uint8Array>
}

/** Reads as much of an input as tells how it is written, and puts it back in front of the rest. */
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
  let format: InputFormat | undefined
  while (format === undefined) {
    const next = await iterator.next()
    isWhole = next.done === true
    if (next.done !== true) {
      // Whoever gives the chunks may fill their memory anew.
      held.push(next.value.slice())
      text += decoder.decode(next.value.subarray(0, FORMAT_SAMPLE_BYTES), { stream: true })
    }
    const isEnough = isWhole || text.length >= FORMAT_SAMPLE_BYTES
    if (isEnough || text.trimStart().includes('\n')) format = inputFormat(name, text, isEnough, plain)
  }
  const rest = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* held
      if (isWhole) return
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return { format, chunks: rest() }
}

/** Pieces of whole lines, counted. */
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
    rejectLine(report, `longer than ${MAX_LINE_BYTES} bytes`, new TextDecoder('utf-8').decode(beginning))
  })
}

/** JSON documents as pieces of JSON lines, each good until the next is asked for. */
export async function* documentLines(
  chunks: AsyncIterable<Uint8Array>,
  report: IngestReport,
): AsyncGenerator<Uint8Array> {
  const documents = new JsonDocuments((reason, excerpt) => rejectLine(report, reason, excerpt))
  for await (const chunk of chunks) {
    report.bytes += chunk.length
    const lines = documents.push(chunk)
    if (lines.length > 0) yield lines
  }
  const lines = documents.end()
  if (lines.length > 0) yield lines
}

/** The text of whole lines; a byte order mark is dropped. */
function textOf(bytes: Uint8Array, report: IngestReport): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    report.damagedLines += damagedLines(bytes)
    return new TextDecoder('utf-8').decode(bytes)
  }
}

/** Lines without their ends, and without the colours of a terminal, which would stand before times, levels and words. */
function linesOf(bytes: Uint8Array, report: IngestReport): readonly string[] {
  const lines = dropColor(textOf(bytes, report)).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
}

/** Decodes lines; one that is not of the format is counted as bad. */
function decodeLines(lines: readonly string[], format: LineFormat, report: IngestReport): MutableRow[] {
  const records: MutableRow[] = []
  for (const line of lines) {
    report.lines++
    if (line.trim() === '') continue
    const decoded = format.decode(line)
    if (!isBadLine(decoded)) records.push(decoded)
    else rejectLine(report, decoded.reason, line)
  }
  return records
}

/**
 * Lines of text, several joined where they are one record. A line that is not of the format that the first lines have is
 * kept as text and counted.
 */
async function* textRecords(
  pieces: AsyncIterable<Uint8Array>,
  format: LineFormat,
  report: IngestReport,
  { nowNs, options }: RecordReading,
  pauseMs: number | undefined,
): AsyncGenerator<MutableRow[]> {
  const records = new TextRecords({
    nowNs,
    zone: options?.zone,
    multiline: options?.multiline,
    format,
    onOther: ({ reason }, line) => rejectLine(report, reason, line),
  })
  for await (const piece of withPauses(pieces, pauseMs, () => records.isOpen)) {
    if (piece === undefined) {
      records.flush()
      yield records.take()
      continue
    }
    for (const line of linesOf(piece, report)) {
      report.lines++
      records.push(line)
    }
    yield records.take()
  }
  records.flush()
  yield records.take()
}

/** What comes, and `undefined` once when nothing has come for a while although it is waited for. */
async function* withPauses<T>(
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

async function* lineRecords(
  pieces: AsyncIterable<Uint8Array>,
  format: LineFormat,
  report: IngestReport,
): AsyncGenerator<MutableRow[]> {
  for await (const piece of pieces) {
    yield decodeLines(linesOf(piece, report), format, report)
  }
}

async function* tableRecords(
  pieces: AsyncIterable<Uint8Array>,
  separator: Separator,
  report: IngestReport,
): AsyncGenerator<MutableRow[]> {
  const rows = new CsvRows(separator, (reason, lineNumber, excerpt) => rejectLine(report, reason, excerpt, lineNumber))
  for await (const piece of pieces) {
    yield rows.push(textOf(piece, report))
    report.lines = rows.lines
  }
  yield rows.end()
  report.lines = rows.lines
}

/** The records of an input in groups, as they come. */
export async function* recordsOf(
  { format, chunks }: OpenedInput,
  { format: name, report, pauseMs, ...reading }: ReadOptions,
): AsyncGenerator<MutableRow[]> {
  const groups = (): AsyncGenerator<MutableRow[]> => {
    switch (format.kind) {
      case 'json-lines':
        return lineRecords(countedLines(chunks, report), jsonLines, report)
      case 'json-documents':
        return lineRecords(documentLines(chunks, report), jsonLines, report)
      case 'table':
        return tableRecords(countedLines(chunks, report), format.separator, report)
      case 'lines':
        return name === 'logfmt'
          ? lineRecords(countedLines(chunks, report), format.format, report)
          : textRecords(countedLines(chunks, report), format.format, report, reading, pauseMs)
    }
  }
  for await (const all of groups()) {
    const records = all.filter((record) => {
      const reason = recordFault(record)
      if (reason !== undefined) rejectLine(report, reason, '')
      return reason === undefined
    })
    report.records += records.length
    if (records.length > 0) yield records
  }
}

/**
 * Records of a byte stream in groups. With `auto` the beginning decides the format; a line that does not match a
 * detected format of lines is kept as plain text, one that does not match a requested format is counted as bad.
 */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<MutableRow[]> {
  yield* recordsOf(await openFormat(chunks, options.format, options), options)
}
