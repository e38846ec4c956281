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
  recordChunks,
  recordFormat,
  textFormat,
  type FormatName,
  type IngestReport,
  type InputFormat,
  type OpenedInput,
} from '../../ingest/index.ts'
import type { AppendReport, MemoryTable, RecordReader, ReadContext } from '../../store/index.ts'
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

export interface LoadOptions extends ReadContext {
  readonly format: FormatName
  /**
   * Called at intervals with the progress so far, and with `undefined` at the end. `totalBytes` is `undefined` when the
   * size is unknown.
   */
  readonly onProgress?: (report: IngestReport | undefined, totalBytes?: number) => void
  /** The signal that stops reading with `budget/cancelled`. */
  readonly signal?: AbortSignal | undefined
  /** Returns the thread that reads parts of large inputs. Without it the calling thread reads everything. */
  readonly thread?: (() => Promise<PartThread>) | undefined
  /** Files whose read errors do not stop loading; the report names them. */
  readonly gathered?: ReadonlySet<string> | undefined
  /** True if every row gets the path of its file as `_file`. */
  readonly hasFileNames?: boolean | undefined
  /**
   * True if every line must get its offset, as in files of JSON lines that are read in parts. Loading throws
   * PositionLost when that is impossible.
   */
  readonly hasPositions?: boolean | undefined
  /** The number of decompressed bytes to read from each file when only its fields are wanted. */
  readonly headBytes?: number | undefined
}

/** Called after each chunk. It reports progress, yields to the event loop, and throws after an interrupt. */
type Tick = () => Promise<void>

/** A load into a table in steps; between two steps the caller may remove the rows that have been read. */
export type Loading<T> = AsyncGenerator<void, T>

/** Thrown if a file cannot be read in a way that gives every line an offset. */
export class PositionLost extends Error {}

/**
 * The range of line offsets reserved for one file, more than any file's size in bytes. Offsets of file number `n` begin
 * at `n` times this value.
 */
export const PLACES_PER_FILE = 2 ** 43
const MAX_PLACED_FILES = 512

/** Returns a source for the bytes of an input that may have more than one part; `undefined` for a small file. */
function partedSource({ path, bytes }: LoadedInput, signal: AbortSignal | undefined): ByteSource | undefined {
  if (bytes === undefined) return new ChunkSource(openInput(path, 0, signal))
  if (bytes >= PACKED_PART_BYTES && isPacked(path)) return new UnpackedSource(path)
  if (bytes >= PART_BYTES && plainHead(path, FORMAT_SAMPLE_BYTES) !== undefined) return new FileSource(path)
  return bytes > SMALL_FILE_BYTES ? new ChunkSource(openInput(path, 0, signal)) : undefined
}

/** True if every line of all files can get an offset: all must be large plain files of JSON lines. */
export function canNumberRows(
  paths: readonly string[],
  { format, nowNs, options }: Pick<LoadOptions, 'format' | 'nowNs' | 'options'>,
): boolean {
  if (paths.length === 0 || paths.length > MAX_PLACED_FILES) return false
  const isNumbered = (path: string): boolean => {
    const head = isLargeFile(path, PART_BYTES) ? plainHead(path, FORMAT_SAMPLE_BYTES) : undefined
    if (head === undefined) return false
    const text = textFormat({ nowNs, options, modifiedNs: inputModifiedNs(path) })
    return inputFormat(formatFor(path, format), head.toString('utf8'), true, text)?.kind === 'json-lines'
  }
  try {
    return paths.every(isNumbered)
  } catch {
    // Ignored here: the later reading of the file reports the error.
    return false
  }
}

/** True if at least one file most likely has more than one part. Missing files are ignored. */
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

/** Returns the given format, or for `auto` the one that the file name implies. */
export function formatFor(path: string, format: FormatName): FormatName {
  return format === 'auto' ? formatOfName(path) : format
}

/**
 * Returns plain data from which another thread can read the input; `undefined` when the input cannot be read in parts.
 */
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
      // The reader of the header reports a doubled name.
      if (isDoubled) return undefined
      return { input: { ...format, names }, from }
    }
    case 'lines':
      return { input: { kind: 'lines', line: format.format === logfmt ? 'logfmt' : 'text' }, from: 0 }
  }
}

/** Appends the rows of a part to a table. */
function addPart(
  { segments, counts }: ReadPart,
  table: MemoryTable,
  report: IngestReport,
  context: ReadContext,
  hasPositions: boolean,
): void {
  // All rows of one unfolded line would have the same offset.
  if (counts.unfoldedLines > 0 && hasPositions) throw new PositionLost()
  const rows = table.writer.rows
  const added = segments.map((segment) => ({
    ...segment,
    id: table.segments.newId(),
    sequenceBase: segment.sequenceBase + rows.nextSequence,
  }))
  table.segments.add(added)
  table.fields.meet(counts.names)
  rows.leftOutTimes.addAll(counts.leftOutTimes)
  for (const name of counts.namesMet) namesMet(table, context).add(name)
  rows.nextSequence += counts.numbered
  const examples = counts.examples.map((bad) => ({ ...bad, lineNumber: bad.lineNumber + report.lines }))
  countAppended(report, { ...counts, examples })
  report.bytes += counts.bytes
  report.damagedLines += counts.damagedLines
}

/** The record readers of one load. Thousands of small files in the same format share one reader. */
class Readers {
  readonly #table: MemoryTable
  readonly #context: ReadContext
  readonly #known = new Map<string, RecordReader>()

  constructor(table: MemoryTable, context: ReadContext) {
    this.#table = table
    this.#context = context
  }

  of(input: InputFormat, name: FormatName): RecordReader {
    // Each table has its own column names, so its reader cannot be shared.
    const key =
      input.kind === 'table' ? undefined : `${name} ${input.kind === 'lines' ? input.format.name : input.kind}`
    const known = key === undefined ? undefined : this.#known.get(key)
    if (known !== undefined && !known.readsAll) return known
    const made = this.#table.writer.reader(recordFormat(input, name, this.#context.options), this.#context)
    if (key !== undefined) this.#known.set(key, made)
    return made
  }
}

/**
 * Yields the lines that end within the first `headBytes` bytes of a stream. When the last chunk has no line end, its
 * bytes are yielded as they are.
 */
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

/** One input of a load. */
interface LoadedInput {
  readonly path: string
  /** The size in bytes; `undefined` for a stream. */
  readonly bytes: number | undefined
  readonly firstPosition: number
}

/** Loads an input into a table. Two threads share an input that has more than one part. */
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
    const { thread, headBytes, hasFileNames, hasPositions, nowNs, options, signal } = this.#options
    if (hasFileNames === true) this.#table.writer.rows.origin = path
    const format = formatFor(path, this.#options.format)
    const context = { nowNs, options, modifiedNs: inputModifiedNs(path) }
    const source = thread === undefined ? undefined : partedSource(loaded, signal)
    if (thread !== undefined && source !== undefined) {
      try {
        yield* this.#loadParts(loaded, format, source, context, await thread())
      } finally {
        await source.close()
      }
      return
    }
    if (hasPositions === true) throw new PositionLost()
    const whole = openInput(path, 0, signal)
    const chunks = headBytes === undefined ? whole : headLines(whole, headBytes)
    const input = await openFormat(chunks, format, context)
    yield* this.#loadRecords(input, this.#readers.of(input.format, format), context)
  }

  async *#loadParts(
    { path, firstPosition }: LoadedInput,
    format: FormatName,
    source: ByteSource,
    context: ReadContext,
    thread: PartThread,
  ): Loading<void> {
    const { hasFileNames, hasPositions = false } = this.#options
    const { definition, options } = this.#table
    const ring = thread.takeRing()
    try {
      const filler = new PartFiller(source, ring, firstPosition)
      const head = await filler.fill()
      const sample = new TextDecoder('utf-8').decode(head.slice(0, FORMAT_SAMPLE_BYTES))
      const found = present(inputFormat(format, sample, true, textFormat(context)), 'format of a whole sample')
      const parted = filler.isWhole ? undefined : partedInput(found, head)
      if (parted === undefined) {
        if (hasPositions) throw new PositionLost()
        yield* this.#loadRecords({ format: found, chunks: filler.rest(0) }, this.#readers.of(found, format), context)
        return
      }
      filler.skip(parted.from)
      const origin = hasFileNames === true ? path : undefined
      const how = { input: parted.input, format, context, origin, definition, options }
      // Segments must have the order of their row numbers.
      this.#table.seal()
      const parts = thread.read(ring, how, filler, this.#tick)
      let next = await parts.next()
      try {
        for (; next.done !== true; next = await parts.next()) {
          addPart(next.value, this.#table, this.#report, context, hasPositions)
          yield
        }
      } finally {
        await parts.return(filler.rest(0))
      }
      const counted = this.#report.lines
      yield* this.#loadRecords(
        { format: found, chunks: next.value },
        this.#table.writer.reader(partFormat(how), context),
        context,
      )
      if (hasPositions && this.#report.lines > counted) throw new PositionLost()
    } finally {
      thread.giveBack(ring)
    }
  }

  /** Reads an input whose format has been detected. */
  async *#loadRecords(input: OpenedInput, reader: RecordReader, context: ReadContext): Loading<void> {
    const report = this.#report
    try {
      for await (const chunk of recordChunks(input, report)) {
        if (!isUtf8(chunk)) report.damagedLines += damagedLines(chunk)
        reader.append(chunk, { ...context, firstLine: report.lines + 1 })
        countAppended(report, reader.take())
        await this.#tick()
        yield
      }
    } finally {
      // Records before a damaged byte count, and the next file must not continue the last record.
      reader.flush()
      countAppended(report, reader.take())
    }
  }
}

/** Returns a system error as a CommandError with the name of the file; other errors unchanged. */
function readFault(path: string, error: unknown): Error {
  if (!isSystemError(error)) return error as Error
  return new CommandError(`${path} cannot be read: ${error.message}`, 1)
}

/** Adds the names that records had to the report, if the user gave options for records. */
export function meetNames({ names }: IngestReport, table: MemoryTable, context: ReadContext): void {
  if (context.options === undefined) return
  for (const name of namesMet(table, context)) names.add(name)
}

/**
 * Reads files (or `-`) into a table and returns a report of what could not be read. Throws CommandError when a file
 * does not exist.
 */
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

/** Loads like `loadFiles`, in steps. */
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
        yield* loading.load({ path, bytes: sizes[i], firstPosition: i * PLACES_PER_FILE })
      } catch (error) {
        const isOfFile = !(error instanceof PositionLost) && !(error instanceof SluiceError)
        // The rows before the damage remain in the answer, and the report names the error.
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
