import { isUtf8 } from 'node:buffer'
import {
  CommandError,
  PROGRESS_INTERVAL_MS,
  SluiceError,
  budgetDiagnostic,
  isSystemError,
  nextTurn,
  nowhere,
  present,
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
import { inputBytes, inputModifiedNs, isLargeFile, isPacked, openInput, plainHead } from './input.ts'
import { IncompleteInput } from './packing.ts'
import type { PartedInput } from './parts/file-part.ts'
import { ChunkSource, FileSource, type ByteSource } from './parts/byte-source.ts'
import { PartFiller } from './parts/part-filler.ts'
import { partFormat, type ReadPart } from './parts/part-reader.ts'
import type { PartThread } from './parts/part-thread.ts'
import { namesMet } from './names-met.ts'
import { UnpackedSource } from './parts/unpacked-source.ts'
import { PACKED_PART_BYTES, PART_BYTES, SMALL_FILE_BYTES, YIELD_INTERVAL_MS } from './tuning.ts'

export interface LoadOptions extends RecordReading {
  readonly format: FormatName
  /** Told now and then how far reading is, and `undefined` at the end; `totalBytes` is `undefined` when nobody knows. */
  readonly onProgress?: (report: IngestReport | undefined, totalBytes?: number) => void
  /** Ends reading with `budget/cancelled`. */
  readonly signal?: AbortSignal | undefined
  /** Gives the thread that reads parts of large inputs. Without it this thread reads all. */
  readonly thread?: (() => Promise<PartThread>) | undefined
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

/** Reads into a table; between two steps its rows may be taken out. */
export type Loading<T> = AsyncGenerator<void, T>

/** A file could not be read in the way that gives places. */
export class PlaceLost extends Error {}

/** More than a file is long: places in the file number `n` begin at `n` times this. */
export const PLACES_PER_FILE = 2 ** 43
const MAX_PLACED_FILES = 512

/** What gives the bytes of an input that may have more than a part; `undefined` of a small file. */
function partedSource({ path, bytes }: LoadedInput, signal: AbortSignal | undefined): ByteSource | undefined {
  if (bytes === undefined) return new ChunkSource(openInput(path, 0, signal))
  if (bytes >= PACKED_PART_BYTES && isPacked(path)) return new UnpackedSource(path)
  if (bytes >= PART_BYTES && plainHead(path, FORMAT_SAMPLE_BYTES) !== undefined) return new FileSource(path)
  return bytes > SMALL_FILE_BYTES ? new ChunkSource(openInput(path, 0, signal)) : undefined
}

/** Whether all files can be read so that every line has a place: large plain ones of JSON lines. */
export function canPlace(
  paths: readonly string[],
  { format, nowNs, options }: Pick<LoadOptions, 'format' | 'nowNs' | 'options'>,
): boolean {
  if (paths.length === 0 || paths.length > MAX_PLACED_FILES) return false
  const isPlaced = (path: string): boolean => {
    const head = isLargeFile(path, PART_BYTES) ? plainHead(path, FORMAT_SAMPLE_BYTES) : undefined
    if (head === undefined) return false
    const text = textFormat({ nowNs, options, modifiedNs: inputModifiedNs(path) })
    return inputFormat(formatFor(path, format), head.toString('utf8'), true, text)?.kind === 'json-lines'
  }
  try {
    return paths.every(isPlaced)
  } catch {
    // Whoever reads the file tells what is wrong with it.
    return false
  }
}

/** Whether some of the files most likely have more than a part; says nothing of files that are not there. */
export function hasLargeFile(paths: readonly string[]): boolean {
  return paths.some((path) => isLargeFile(path, PART_BYTES) || (isLargeFile(path, PACKED_PART_BYTES) && isPacked(path)))
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
): { readonly input: PartedInput; readonly from: number } | undefined {
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

/** Adds a part to a table, behind what is there. */
function addPart(
  { segments, counts }: ReadPart,
  table: MemoryTable,
  report: IngestReport,
  reading: RecordReading,
  hasPlaces: boolean,
): void {
  // Rows of one line would all have its place.
  if (counts.unfoldedLines > 0 && hasPlaces) throw new PlaceLost()
  const rows = table.writer.rows
  const added = segments.map((segment) => ({
    ...segment,
    id: table.segments.newId(),
    sequenceBase: segment.sequenceBase + rows.nextSequence,
  }))
  table.segments.add(added)
  table.fields.meet(counts.names)
  rows.leftOutTimes.addAll(counts.leftOutTimes)
  for (const name of counts.namesMet) namesMet(table, reading).add(name)
  rows.nextSequence += counts.numbered
  const examples = counts.examples.map((bad) => ({ ...bad, lineNumber: bad.lineNumber + report.lines }))
  countAppended(report, { ...counts, examples })
  report.bytes += counts.bytes
  report.damagedLines += counts.damagedLines
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

/** One input of a loading. */
interface LoadedInput {
  readonly path: string
  /** Unknown of a stream. */
  readonly bytes: number | undefined
  readonly firstPlace: number
}

/** Reads an input into a table: what is larger than a part by two threads. */
class InputLoading {
  readonly #table: MemoryTable
  readonly #report: IngestReport
  readonly #options: LoadOptions
  readonly #tick: Tick
  readonly #readers: Readers

  constructor(table: MemoryTable, report: IngestReport, options: LoadOptions, tick: Tick) {
    this.#table = table
    this.#report = report
    this.#options = options
    this.#tick = tick
    this.#readers = new Readers(table, options)
  }

  async *load(loaded: LoadedInput): Loading<void> {
    const { path } = loaded
    const { thread, headBytes, hasFileNames, hasPlaces, nowNs, options, signal } = this.#options
    if (hasFileNames === true) this.#table.writer.rows.origin = path
    const format = formatFor(path, this.#options.format)
    const reading = { nowNs, options, modifiedNs: inputModifiedNs(path) }
    const source = thread === undefined ? undefined : partedSource(loaded, signal)
    if (thread !== undefined && source !== undefined) {
      try {
        yield* this.#loadParts(loaded, format, source, reading, await thread())
      } finally {
        await source.close()
      }
      return
    }
    if (hasPlaces === true) throw new PlaceLost()
    const whole = openInput(path, 0, signal)
    const chunks = headBytes === undefined ? whole : headLines(whole, headBytes)
    const input = await openFormat(chunks, format, reading)
    yield* this.#loadRecords(input, this.#readers.of(input.format, format), reading)
  }

  async *#loadParts(
    { path, firstPlace }: LoadedInput,
    format: FormatName,
    source: ByteSource,
    reading: RecordReading,
    thread: PartThread,
  ): Loading<void> {
    const { hasFileNames, hasPlaces = false } = this.#options
    const { definition, options } = this.#table
    const ring = thread.takeRing()
    try {
      const filler = new PartFiller(source, ring, firstPlace)
      const head = await filler.fill()
      const sample = new TextDecoder('utf-8').decode(head.slice(0, FORMAT_SAMPLE_BYTES))
      const found = present(inputFormat(format, sample, true, textFormat(reading)), 'format of a whole sample')
      const parted = filler.isWhole ? undefined : partedInput(found, head)
      if (parted === undefined) {
        if (hasPlaces) throw new PlaceLost()
        yield* this.#loadRecords({ format: found, chunks: filler.rest(0) }, this.#readers.of(found, format), reading)
        return
      }
      filler.skip(parted.from)
      const origin = hasFileNames === true ? path : undefined
      const how = { input: parted.input, format, reading, origin, definition, options }
      // Segments are in the order of their rows' numbers.
      this.#table.seal()
      const parts = thread.read(ring, how, filler, this.#tick)
      let next = await parts.next()
      try {
        for (; next.done !== true; next = await parts.next()) {
          addPart(next.value, this.#table, this.#report, reading, hasPlaces)
          yield
        }
      } finally {
        await parts.return(filler.rest(0))
      }
      const counted = this.#report.lines
      yield* this.#loadRecords(
        { format: found, chunks: next.value },
        this.#table.writer.reader(partFormat(how), reading),
        reading,
      )
      if (hasPlaces && this.#report.lines > counted) throw new PlaceLost()
    } finally {
      thread.giveBack(ring)
    }
  }

  /** Reads an input of which the beginning was looked at. */
  async *#loadRecords(input: OpenedInput, reader: RecordReader, reading: RecordReading): Loading<void> {
    const report = this.#report
    try {
      for await (const piece of pieces(input, report)) {
        if (!isUtf8(piece)) report.damagedLines += damagedLines(piece)
        reader.append(piece, { ...reading, firstLine: report.lines + 1 })
        countAppended(report, reader.take())
        await this.#tick()
        yield
      }
    } finally {
      // Records before a damaged byte count, and the next file does not go on with the last one.
      reader.flush()
      countAppended(report, reader.take())
    }
  }
}

/** What the system says of a file, with its name. */
function readFault(path: string, error: unknown): Error {
  if (!isSystemError(error)) return error as Error
  return new CommandError(`${path} cannot be read: ${error.message}`, 1)
}

/** Adds the names that records had, of which a person named some. */
export function meetNames({ names }: IngestReport, table: MemoryTable, reading: RecordReading): void {
  if (reading.options === undefined) return
  for (const name of namesMet(table, reading)) names.add(name)
}

/** Reads files (or `-`) into a table and tells what could not be read. Throws CommandError for a file that is not there. */
export async function loadFiles(
  paths: readonly string[],
  table: MemoryTable,
  options: LoadOptions,
): Promise<IngestReport> {
  const loading = filesLoading(paths, table, options)
  for (;;) {
    const { done, value } = await loading.next()
    if (done === true) return value
  }
}

/** The same step by step. */
export async function* filesLoading(
  paths: readonly string[],
  table: MemoryTable,
  options: LoadOptions,
): Loading<IngestReport> {
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
  const loading = new InputLoading(table, report, options, tick)
  try {
    for (const [i, path] of paths.entries()) {
      const linesBefore = report.lines
      try {
        yield* loading.load({ path, bytes: sizes[i], firstPlace: i * PLACES_PER_FILE })
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
  meetNames(report, table, options)
  return report
}
