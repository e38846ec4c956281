import { UnreadableTimesCount, type MutableRow } from '../data/index.ts'
import type { RecordOptions } from '../store/index.ts'
import { detectFormat } from './detect.ts'
import { jsonLines } from './json-lines.ts'
import { isBadLine, type LineFormat } from './line-format.ts'
import { logfmt } from './logfmt.ts'
import { plainText } from './plain-text.ts'

const SAMPLE_LINES = 20
const MAX_LINE_BYTES = 16 * 1024 * 1024
const KEPT_BAD_LINES = 5

export type FormatName = 'auto' | 'json' | 'logfmt' | 'text'

export interface IngestReport extends UnreadableTimesCount {
  lines: number
  records: number
  badLines: number
  bytes: number
  /** The first few bad lines: 1-based number, reason, and at most 120 characters of the line. */
  readonly examples: { readonly lineNumber: number; readonly reason: string; readonly excerpt: string }[]
}

export function emptyReport(): IngestReport {
  const counts = { lines: 0, records: 0, badLines: 0, bytes: 0, examples: [] }
  return Object.assign(new UnreadableTimesCount(), counts)
}

export interface ReadOptions {
  readonly format: FormatName
  readonly nowNs: bigint
  readonly options?: RecordOptions | undefined
  readonly report: IngestReport
}

/** Lines of a byte stream in groups, one group a chunk; UTF-8, `\n` or `\r\n`; a byte order mark is dropped. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  report: IngestReport,
): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8')
  let rest = ''
  for await (const chunk of chunks) {
    report.bytes += chunk.length
    const text = rest + decoder.decode(chunk, { stream: true })
    const end = text.lastIndexOf('\n')
    if (end === -1) {
      rest = text
      if (rest.length > MAX_LINE_BYTES) {
        report.lines++
        reject(report, `longer than ${MAX_LINE_BYTES} characters`, rest)
        rest = ''
      }
      continue
    }
    rest = text.slice(end + 1)
    yield text.slice(0, end).split('\n')
  }
  rest += decoder.decode()
  if (rest !== '') yield [rest]
}

function reject(report: IngestReport, reason: string, line: string): void {
  report.badLines++
  if (report.examples.length < KEPT_BAD_LINES) {
    report.examples.push({ lineNumber: report.lines, reason, excerpt: line.slice(0, 120) })
  }
}

function pickFormat(name: FormatName, sample: readonly string[], plain: LineFormat): LineFormat {
  const formats = [jsonLines, logfmt, plain] as const
  return name === 'auto' ? detectFormat(sample, formats) : (formats.find((f) => f.name === name) ?? plain)
}

/**
 * Records of a byte stream in groups. With `auto` the first lines decide the format; a line that does not match a
 * detected format is kept as plain text, one that does not match a requested format is counted as bad.
 */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<MutableRow[]> {
  const { report, nowNs } = options
  const text = plainText({ nowNs, zone: options.options?.zone })
  let format: LineFormat | undefined
  for await (const lines of linesOf(chunks, report)) {
    const records: MutableRow[] = []
    const sample = format === undefined ? lines.filter((line) => line.trim() !== '').slice(0, SAMPLE_LINES) : []
    if (format === undefined && sample.length > 0) format = pickFormat(options.format, sample, text)
    for (const raw of lines) {
      report.lines++
      const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
      if (format === undefined || line.trim() === '') continue
      const decoded = format.decode(line)
      if (!isBadLine(decoded)) records.push(decoded)
      else {
        reject(report, decoded.reason, line)
        if (options.format !== 'auto') continue
        const kept = text.decode(line)
        if (!isBadLine(kept)) records.push(kept)
      }
    }
    report.records += records.length
    if (records.length > 0) yield records
  }
}
