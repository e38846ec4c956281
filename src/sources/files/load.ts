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
  csvHeader,
  damagedLines,
  emptyReport,
  formatOfName,
  inputFormat,
  logfmt,
  openFormat,
  pieces,
  recordFormat,
  textFormat,
  type FormatName,
  type IngestReport,
  type InputFormat,
  type OpenedInput,
} from '../../ingest/index.ts'
import type { AppendReport, MemoryTable, RecordReader, RecordReading } from '../../store/index.ts'
import { inputBytes, inputModifiedNs, isLargeFile, openInput, plainHead } from './input.ts'
import { IncompleteInput } from './packing.ts'
import type { PartedFile, PartedInput } from './parts/file-part.ts'
import type { PartThread } from './parts/part-thread.ts'
import { PARTED_FILE_MIN_BYTES, YIELD_INTERVAL_MS } from './tuning.ts'

export interface LoadOptions extends RecordReading {
  readonly format: FormatName
  /** Told now and then how far reading is, and `undefined` at the end; `totalBytes` is `undefined` when nobody knows. */
  readonly onProgress?: (report: IngestReport | undefined, totalBytes?: number) => void
  /** Ends reading with `budget/cancelled`. */
  readonly signal?: AbortSignal | undefined
  /** Reads parts of large files, when given. */
  readonly thread?: PartThread | undefined
  /** Files that do not end the reading when they cannot be read; they are named in the report. */
  readonly gathered?: ReadonlySet<string> | undefined
  /** Gives every row the path of its file as `_file`. */
  readonly hasFileNames?: boolean | undefined
  /** Every line must get its place, in files of JSON lines that are read in parts; throws PlaceLost when that cannot be. */
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
    return paths.every((path) => partedFile(path, inputBytes(path), options)?.input.kind === 'json-lines')
  } catch {
    // Whoever reads the file tells what is wrong with it.
    return false
  }
}

/** Whether some of the files may be read in parts; says nothing of files that are not there. */
export function hasLargeFile(paths: readonly string[]): boolean {
  return paths.some((path) => isLargeFile(path, PARTED_FILE_MIN_BYTES))
}

export function countAppended(report: IngestReport, taken: AppendReport): void {
  report.lines += taken.lines
  report.records += taken.rows
  report.badLines += taken.badLines
  report.keptLines += taken.keptLines
  report.generalRecords += taken.generalRecords
  report.addAll(taken)
  for (const bad of taken.examples) if (report.examples.length < 5) report.examples.push(bad)
}

/** What was said, else what the name tells. */
export function formatFor(path: string, format: FormatName): FormatName {
  return format === 'auto' ? formatOfName(path) : format
}

/** What of a format can be told to another thread; `undefined` where nothing can. */
function partedInput(
  format: InputFormat,
  head: Uint8Array,
): (Pick<PartedFile, 'from'> & { input: PartedInput }) | undefined {
  switch (format.kind) {
    case 'json-lines':
      return { input: format, from: 0 }
    case 'json-documents':
    case 'journal':
      return undefined
    case 'table': {
      const { hasBackslashes, hasDecimalCommas, titles } = format.quirks
      if (hasBackslashes || hasDecimalCommas || titles > 0) return undefined
      const { names, from, isDoubled } = csvHeader(head, format.separator)
      // The reader of the header tells it.
      if (isDoubled) return undefined
      return { input: { ...format, names }, from }
    }
    case 'lines':
      return { input: { kind: 'lines', line: format.format === logfmt ? 'logfmt' : 'text' }, from: 0 }
  }
}

/** A large plain file whose records several threads can find; `undefined` for others. */
function partedFile(
  path: string,
  bytes: number | undefined,
  { nowNs, options, format: said, hasFileNames }: Pick<LoadOptions, 'format' | 'nowNs' | 'options' | 'hasFileNames'>,
  firstPlace = 0,
): PartedFile | undefined {
  if (bytes === undefined || bytes < PARTED_FILE_MIN_BYTES) return undefined
  const head = plainHead(path, FORMAT_SAMPLE_BYTES)
  if (head === undefined) return undefined
  const format = formatFor(path, said)
  const reading = { nowNs, options, modifiedNs: inputModifiedNs(path) }
  const found = inputFormat(format, head.toString('utf8'), true, textFormat(reading))
  const parted = found === undefined ? undefined : partedInput(found, head)
  if (parted === undefined) return undefined
  return { path, bytes, ...parted, format, reading, firstPlace, origin: hasFileNames === true ? path : undefined }
}

/** Reads a file in parts, by this thread and another, into segments of a table. */
async function loadParts(
  file: PartedFile,
  thread: PartThread,
  table: MemoryTable,
  report: IngestReport,
  hasPlaces: boolean,
  tick: Tick,
): Promise<void> {
  const before = report.bytes
  const { definition, options } = table
  const parts = await thread.read({ file, table: { definition, options } }, (bytes) => {
    report.bytes = before + bytes
    return tick()
  })
  report.bytes = before
  const rows = table.writer.rows
  for (const { segments, counts } of parts) {
    // Rows of one line would all have its place.
    if (counts.unfoldedLines > 0 && hasPlaces) throw new PlaceLost()
    const added = segments.map((segment) => ({
      ...segment,
      id: table.segments.newId(),
      sequenceBase: segment.sequenceBase + rows.nextSequence,
    }))
    table.segments.add(added)
    table.fields.meet(counts.names)
    rows.nextSequence += counts.numbered
    const examples = counts.examples.map((bad) => ({ ...bad, lineNumber: bad.lineNumber + report.lines }))
    countAppended(report, { ...counts, examples })
    report.bytes += counts.bytes
    report.damagedLines += counts.damagedLines
  }
}

/** The readers of one loading: thousands of small files that are written alike share one. */
class Readers {
  readonly #table: MemoryTable
  readonly #reading: RecordReading
  readonly #known = new Map<string, RecordReader>()

  constructor(table: MemoryTable, reading: RecordReading) {
    this.#table = table
    this.#reading = reading
  }

  of(input: InputFormat, name: FormatName): RecordReader {
    // A table names its columns itself.
    const key =
      input.kind === 'table' ? undefined : `${name} ${input.kind === 'lines' ? input.format.name : input.kind}`
    const known = key === undefined ? undefined : this.#known.get(key)
    if (known !== undefined && !known.readsAll) return known
    const made = this.#table.writer.reader(recordFormat(input, name, this.#reading.options), this.#reading)
    if (key !== undefined) this.#known.set(key, made)
    return made
  }
}

/** Reads an input of which the beginning was looked at. */
async function loadRecords(
  input: OpenedInput,
  reader: RecordReader,
  report: IngestReport,
  reading: RecordReading,
  tick: Tick,
): Promise<void> {
  try {
    for await (const piece of pieces(input, report)) {
      if (!isUtf8(piece)) report.damagedLines += damagedLines(piece)
      reader.append(piece, { ...reading, firstLine: report.lines + 1 })
      countAppended(report, reader.take())
      await tick()
    }
  } finally {
    // Records before a damaged byte count, and the next file does not go on with the last one.
    reader.flush()
    countAppended(report, reader.take())
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

/** An input as it comes, by this thread. */
async function loadInput(
  path: string,
  readers: Readers,
  report: IngestReport,
  options: LoadOptions,
  tick: Tick,
): Promise<void> {
  const format = formatFor(path, options.format)
  const { headBytes, nowNs, signal } = options
  const reading = { nowNs, options: options.options, modifiedNs: inputModifiedNs(path) }
  const whole = openInput(path, 0, signal)
  const chunks = headBytes === undefined ? whole : headLines(whole, headBytes)
  const input = await openFormat(chunks, format, reading)
  await loadRecords(input, readers.of(input.format, format), report, reading, tick)
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
  const startMs = performance.now()
  let shownMs = startMs
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
  const readers = new Readers(table, options)
  const read = async (path: string, i: number): Promise<void> => {
    if (options.hasFileNames === true) table.writer.rows.origin = path
    const parted = options.thread === undefined ? undefined : partedFile(path, sizes[i], options, i * PLACES_PER_FILE)
    if (options.thread !== undefined && parted !== undefined) {
      await loadParts(parted, options.thread, table, report, options.hasPlaces === true, tick)
      return
    }
    if (options.hasPlaces === true) throw new PlaceLost()
    await loadInput(path, readers, report, options, tick)
  }
  try {
    for (const [i, path] of paths.entries()) {
      const linesBefore = report.lines
      try {
        await read(path, i)
      } catch (error) {
        const isOfFile = !(error instanceof PlaceLost) && !(error instanceof SluiceError)
        // What could be read of a file is worth more than none of it.
        const isPart = error instanceof IncompleteInput && report.lines > linesBefore
        if (!isOfFile || (!isPart && options.gathered?.has(path) !== true)) throw readFault(path, error)
        const { message } = readFault(path, error)
        report.passedOver.push({ reason: message, isText: !(error instanceof NotText) })
      }
    }
  } finally {
    report.milliseconds = performance.now() - startMs
    onProgress?.(undefined)
  }
  return report
}
