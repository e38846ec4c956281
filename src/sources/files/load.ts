import { isUtf8 } from 'node:buffer'
import {
  CommandError,
  PROGRESS_INTERVAL_MS,
  SluiceError,
  budgetDiagnostic,
  isSystemError,
  nextTurn,
  nowhere,
} from '../../base/index.ts'
import { NotText } from './content.ts'
import {
  FORMAT_SAMPLE_BYTES,
  countedLines,
  damagedLines,
  documentLines,
  emptyReport,
  formatOfName,
  inputFormat,
  openFormat,
  recordsOf,
  textFormat,
  unfoldRecords,
  type FormatName,
  type IngestReport,
} from '../../ingest/index.ts'
import { storedRow, type AppendReport, type MemoryTable, type RecordReading } from '../../store/index.ts'
import { inputBytes, isLargeFile, openInput, plainHead } from './input.ts'
import type { ScanThread } from './scan/scan-thread.ts'
import { YIELD_INTERVAL_MS, SCAN_THREAD_MIN_BYTES } from './tuning.ts'

export interface LoadOptions extends RecordReading {
  readonly format: FormatName
  /** Told now and then how far reading is, and `undefined` at the end; `totalBytes` is `undefined` when nobody knows. */
  readonly onProgress?: (report: IngestReport | undefined, totalBytes?: number) => void
  /** Ends reading with `budget/cancelled`. */
  readonly signal?: AbortSignal | undefined
  /** Reads large files of JSON lines, when given. */
  readonly thread?: ScanThread | undefined
  /** Files that do not end the reading when they cannot be read; they are named in the report. */
  readonly gathered?: ReadonlySet<string> | undefined
  /** Gives every row the path of its file as `_file`. */
  readonly hasFileNames?: boolean | undefined
  /** Every line must get its place, in files that `suitThread`; throws PlaceLost when that cannot be. */
  readonly hasPlaces?: boolean | undefined
  /** Of each file no more than so many bytes, unpacked: for a look at what it holds. */
  readonly headBytes?: number | undefined
}

/** Called after each piece: tells how far reading is, lets others have a turn, and ends it after an interrupt. */
type Tick = () => Promise<void>

/** A file could not be read in the way that gives places. */
export class PlaceLost extends Error {}

/** More than a file is long: places in the file number `n` begin at `n` times this. */
export const PLACES_PER_FILE = 2 ** 43
const MAX_PLACED_FILES = 512

/** Whether all files can be read so that every line has a place. */
export function canPlace(
  paths: readonly string[],
  options: Pick<LoadOptions, 'format' | 'nowNs' | 'options'>,
): boolean {
  if (paths.length === 0 || paths.length > MAX_PLACED_FILES) return false
  try {
    return paths.every((path) => suitsThread(path, inputBytes(path), options))
  } catch {
    // Whoever reads the file tells what is wrong with it.
    return false
  }
}

/** Whether a thread would help with some of the files; says nothing of files that are not there. */
export function hasLargeFile(paths: readonly string[]): boolean {
  return paths.some((path) => isLargeFile(path, SCAN_THREAD_MIN_BYTES))
}

export function countAppended(report: IngestReport, taken: AppendReport): void {
  report.lines += taken.lines
  report.records += taken.rows
  report.badLines += taken.badLines
  report.addAll(taken)
  for (const bad of taken.examples) if (report.examples.length < 5) report.examples.push(bad)
}

/** Whether a file is JSON lines and large enough for a thread. */
function suitsThread(
  path: string,
  size: number | undefined,
  options: Pick<LoadOptions, 'format' | 'nowNs' | 'options'>,
): boolean {
  if (size === undefined || size < SCAN_THREAD_MIN_BYTES) return false
  const head = plainHead(path, FORMAT_SAMPLE_BYTES)
  if (head === undefined) return false
  return (
    inputFormat(formatFor(path, options.format), head.toString('utf8'), true, textFormat(options))?.kind ===
    'json-lines'
  )
}

/** The thread finds where values are while this one stores them. */
async function loadScanned(
  path: string,
  thread: ScanThread,
  table: MemoryTable,
  report: IngestReport,
  { nowNs, options, hasPlaces, signal }: LoadOptions,
  firstPlace: number,
  tick: Tick,
): Promise<void> {
  const before = report.bytes
  const slots = thread.scan(path, table.writer.scanOptionsWith(options))
  for (let next = await slots.next(); ; next = await slots.next()) {
    if (next.done === true) {
      const rest = next.value
      // A line is longer than what is scanned at once.
      if (rest !== undefined && hasPlaces === true) throw new PlaceLost()
      if (rest !== undefined)
        await loadJson(
          countedLines(openInput(path, rest.offset, signal), report),
          table,
          report,
          { nowNs, options },
          tick,
        )
      return
    }
    const { lines, readBytes } = next.value
    const origin = (lines.origin ?? 0) + firstPlace
    const reading = { nowNs, options, firstLine: report.lines + 1, unfold: unfoldRecords }
    const taken = table.writer.appendScanned({ ...lines, origin }, reading)
    // Rows of one line would all have its place.
    if (taken.unfoldedLines > 0 && hasPlaces === true) throw new PlaceLost()
    countAppended(report, taken)
    report.bytes = before + readBytes
    await tick()
  }
}

/** What was said, else what the name tells. */
export function formatFor(path: string, format: FormatName): FormatName {
  return format === 'auto' ? formatOfName(path) : format
}

/** JSON lines go to the store as bytes, whole lines at a time. */
async function loadJson(
  pieces: AsyncIterable<Uint8Array>,
  table: MemoryTable,
  report: IngestReport,
  { nowNs, options }: RecordReading,
  tick: Tick,
): Promise<void> {
  for await (const lines of pieces) {
    if (!isUtf8(lines)) report.damagedLines += damagedLines(lines)
    countAppended(
      report,
      table.writer.appendJsonLines(lines, { nowNs, options, firstLine: report.lines + 1, unfold: unfoldRecords }),
    )
    await tick()
  }
}

/** The lines that end within the first bytes of a stream; the bytes themselves where no line ends among the last of them. */
async function* headLines(chunks: AsyncIterable<Uint8Array>, headBytes: number): AsyncGenerator<Uint8Array> {
  let left = headBytes
  for await (const chunk of chunks) {
    if (chunk.length < left) {
      left -= chunk.length
      yield chunk
      continue
    }
    const end = chunk.lastIndexOf(10, left - 1) + 1
    yield chunk.subarray(0, end > 0 ? end : left)
    return
  }
}

/** Any input but large files of JSON lines. */
async function loadInput(
  path: string,
  table: MemoryTable,
  report: IngestReport,
  options: LoadOptions,
  tick: Tick,
): Promise<void> {
  const format = formatFor(path, options.format)
  const { headBytes, signal } = options
  const whole = openInput(path, 0, signal)
  const chunks = headBytes === undefined ? whole : headLines(whole, headBytes)
  const input = await openFormat(chunks, format, options)
  if (input.format.kind === 'json-lines') {
    await loadJson(countedLines(input.chunks, report), table, report, options, tick)
    return
  }
  if (input.format.kind === 'json-documents') {
    await loadJson(documentLines(input.chunks, report), table, report, options, tick)
    return
  }
  for await (const records of recordsOf(input, { ...options, format, report })) {
    table.writer.appendRows(
      records
        .map((record) => storedRow(table.definition, record, options))
        .map(({ timeNs, row, unreadableTime }) => {
          report.addValue(unreadableTime)
          return { timeNs, row }
        }),
    )
    await tick()
  }
}

/** What the system says of a file, with its name. */
function readFault(path: string, error: unknown): Error {
  if (!isSystemError(error)) return error as Error
  return new CommandError(`${path} cannot be read: ${error.message}`, 1)
}

/** Reads files (or `-`) into a table and tells what could not be read. Throws CommandError for a file that is not there. */
export async function loadFiles(
  paths: readonly string[],
  table: MemoryTable,
  options: LoadOptions,
): Promise<IngestReport> {
  const { onProgress, signal } = options
  const report = emptyReport()
  const sizes = paths.map(inputBytes)
  const totalBytes = sizes.every((size) => size !== undefined) ? sizes.reduce((sum, size) => sum + size, 0) : undefined
  let shownMs = performance.now()
  let turnMs = shownMs
  const tick: Tick = async () => {
    const nowMs = performance.now()
    if (nowMs - turnMs >= YIELD_INTERVAL_MS) {
      await nextTurn()
      turnMs = performance.now()
    }
    if (signal?.aborted === true) throw new SluiceError([budgetDiagnostic('cancelled', {}, nowhere)])
    if (onProgress === undefined || nowMs - shownMs < PROGRESS_INTERVAL_MS) return
    shownMs = nowMs
    onProgress(report, totalBytes)
  }
  const read = async (path: string, i: number): Promise<void> => {
    if (options.hasFileNames === true) table.writer.rows.origin = path
    if (options.thread !== undefined && suitsThread(path, sizes[i], options)) {
      await loadScanned(path, options.thread, table, report, options, i * PLACES_PER_FILE, tick)
      return
    }
    if (options.hasPlaces === true) throw new PlaceLost()
    await loadInput(path, table, report, options, tick)
  }
  try {
    for (const [i, path] of paths.entries()) {
      try {
        await read(path, i)
      } catch (error) {
        const isOfFile = !(error instanceof PlaceLost) && !(error instanceof SluiceError)
        if (!isOfFile || options.gathered?.has(path) !== true) throw readFault(path, error)
        const { message } = readFault(path, error)
        report.passedOver.push({ reason: message, isText: !(error instanceof NotText) })
      }
    }
  } finally {
    onProgress?.(undefined)
  }
  return report
}
