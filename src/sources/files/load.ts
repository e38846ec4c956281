import {
  detectFormat,
  emptyReport,
  jsonLines,
  logfmt,
  plainText,
  readRecords,
  type FormatName,
  type IngestReport,
} from '../../ingest/index.ts'
import {
  storedRow,
  type AppendReport,
  type MemoryTable,
  type RecordOptions,
  type RecordReading,
} from '../../store/index.ts'
import { inputBytes, isLargeFile, openInput, plainHead } from './input.ts'
import type { ScanThread } from './scan/scan-thread.ts'

const PROGRESS_EVERY_MS = 200
/** Files from here on are worth a thread of their own. */
const MIN_THREAD_BYTES = 8 * 1024 * 1024
const SAMPLE_BYTES = 65_536

export interface LoadOptions {
  readonly format: FormatName
  readonly nowNs: bigint
  /** What is said about the records. */
  readonly options?: RecordOptions | undefined
  /** Told now and then how far reading is, and `undefined` at the end; `totalBytes` is `undefined` when nobody knows. */
  readonly onProgress?: (report: IngestReport | undefined, totalBytes?: number) => void
  /** Reads large files of JSON lines, when given. */
  readonly thread?: ScanThread | undefined
  /** Every line must get its place, in files that `suitThread`; throws PlaceLost when that cannot be. */
  readonly hasPlaces?: boolean | undefined
}

/** A file could not be read in the way that gives places. */
export class PlaceLost extends Error {}

/** More than a file is long: places in the file number `n` begin at `n` times this. */
export const PLACES_PER_FILE = 2 ** 43
const MAX_PLACED_FILES = 512

/** Whether all files can be read so that every line has a place. */
export function canPlace(paths: readonly string[], options: Pick<LoadOptions, 'format' | 'nowNs'>): boolean {
  if (paths.length === 0 || paths.length > MAX_PLACED_FILES) return false
  return paths.every((path) => suitsThread(path, inputBytes(path), options))
}

/** Whether a thread would help with some of the files; says nothing of files that are not there. */
export function hasLargeFile(paths: readonly string[]): boolean {
  return paths.some((path) => isLargeFile(path, MIN_THREAD_BYTES))
}

/** The first chunks until there is a line, put back in front of the rest. */
async function peek(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly sample: readonly string[]; readonly all: AsyncIterable<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]()
  const held: Uint8Array[] = []
  let text = ''
  let isDone = false
  while (!isDone && !text.includes('\n')) {
    const next = await iterator.next()
    isDone = next.done === true
    if (next.done !== true) {
      held.push(next.value)
      text += Buffer.from(next.value.buffer, next.value.byteOffset, Math.min(next.value.length, 65536)).toString('utf8')
    }
  }
  const all = (async function* (): AsyncGenerator<Uint8Array> {
    yield* held
    if (isDone) return
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value
  })()
  return {
    sample: linesOf(text),
    all,
  }
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .slice(0, 20)
    .filter((line) => line.trim() !== '')
}

function isJson(format: FormatName, sample: readonly string[], nowNs: bigint): boolean {
  if (format !== 'auto') return format === 'json'
  return detectFormat(sample, [jsonLines, logfmt, plainText({ nowNs })]) === jsonLines
}

function count(report: IngestReport, taken: AppendReport): void {
  report.lines += taken.lines
  report.records += taken.rows
  report.badLines += taken.badLines
  report.addAll(taken)
  for (const bad of taken.examples) if (report.examples.length < 5) report.examples.push(bad)
}

/** Whether a file is JSON lines and large enough for a thread. */
function suitsThread(path: string, size: number | undefined, options: Pick<LoadOptions, 'format' | 'nowNs'>): boolean {
  if (size === undefined || size < MIN_THREAD_BYTES) return false
  const head = plainHead(path, SAMPLE_BYTES)
  return head !== undefined && isJson(options.format, linesOf(head.toString('utf8')), options.nowNs)
}

/** The thread finds where values are while this one stores them. */
async function loadScanned(
  path: string,
  thread: ScanThread,
  table: MemoryTable,
  report: IngestReport,
  { nowNs, options, hasPlaces }: LoadOptions,
  firstPlace: number,
  tick: () => void,
): Promise<void> {
  const before = report.bytes
  const slots = thread.scan(path, table.scanOptionsWith(options))
  for (let next = await slots.next(); ; next = await slots.next()) {
    if (next.done === true) {
      const rest = next.value
      // A line is longer than what is scanned at once.
      if (rest !== undefined && hasPlaces === true) throw new PlaceLost()
      if (rest !== undefined) await loadJson(openInput(path, rest.offset), table, report, { nowNs, options }, tick)
      return
    }
    const { lines, readBytes } = next.value
    const origin = (lines.origin ?? 0) + firstPlace
    count(report, table.appendScanned({ ...lines, origin }, { nowNs, options, firstLine: report.lines + 1 }))
    report.bytes = before + readBytes
    tick()
  }
}

/** JSON lines go to the store as bytes, whole lines at a time. */
async function loadJson(
  chunks: AsyncIterable<Uint8Array>,
  table: MemoryTable,
  report: IngestReport,
  { nowNs, options }: RecordReading,
  tick: () => void,
): Promise<void> {
  let rest: Uint8Array = new Uint8Array(0)
  const append = (bytes: Uint8Array): void => {
    if (bytes.length === 0) return
    count(report, table.appendJsonLines(bytes, { nowNs, options, firstLine: report.lines + 1 }))
  }
  for await (const chunk of chunks) {
    report.bytes += chunk.length
    const end = chunk.lastIndexOf(10) + 1
    if (end === 0) {
      rest = Buffer.concat([rest, chunk])
      continue
    }
    append(rest.length === 0 ? chunk.subarray(0, end) : Buffer.concat([rest, chunk.subarray(0, end)]))
    rest = chunk.slice(end)
    tick()
  }
  append(rest)
}

/** Reads files (or `-`) into a table and tells what could not be read. Throws CommandError for a file that is not there. */
export async function loadFiles(
  paths: readonly string[],
  table: MemoryTable,
  options: LoadOptions,
): Promise<IngestReport> {
  const { nowNs, format, onProgress } = options
  const report = emptyReport()
  const sizes = paths.map(inputBytes)
  const totalBytes = sizes.every((size) => size !== undefined) ? sizes.reduce((sum, size) => sum + size, 0) : undefined
  let shownMs = performance.now()
  const tick = (): void => {
    if (onProgress === undefined || performance.now() - shownMs < PROGRESS_EVERY_MS) return
    shownMs = performance.now()
    onProgress(report, totalBytes)
  }
  for (const [i, path] of paths.entries()) {
    if (options.thread !== undefined && suitsThread(path, sizes[i], options)) {
      await loadScanned(path, options.thread, table, report, options, i * PLACES_PER_FILE, tick)
      continue
    }
    if (options.hasPlaces === true) throw new PlaceLost()
    const { sample, all } = await peek(openInput(path))
    if (isJson(format, sample, nowNs)) {
      await loadJson(all, table, report, options, tick)
      continue
    }
    for await (const records of readRecords(all, { format, nowNs, options: options.options, report })) {
      table.appendRows(
        records
          .map((record) => storedRow(table.definition, record, options))
          .map(({ timeNs, row, unreadableTime }) => {
            report.addValue(unreadableTime)
            return { timeNs, row }
          }),
      )
      tick()
    }
  }
  onProgress?.(undefined)
  return report
}
