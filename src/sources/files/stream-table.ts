import { isUtf8 } from 'node:buffer'
import { CommandError } from '../../base/index.ts'
import type { RecordBatch } from '../../data/index.ts'
import {
  damagedLines,
  emptyReport,
  openFormat,
  recordChunks,
  recordFormat,
  withPauses,
  type FormatName,
  type IngestReport,
  type OpenedInput,
} from '../../ingest/index.ts'
import {
  type Expr,
  type KnownFields,
  type FilterGrade,
  type RecordTableDefinition,
  type ScanRequest,
  type ScanResult,
  type Table,
  type TimesMet,
} from '../../plan/index.ts'
import { MemoryTable, type RecordOptions, type ReadContext } from '../../store/index.ts'
import { FollowedFile } from './followed-file.ts'
import { isNamedPipe, openInput } from './input.ts'
import { countAppended, formatFor, meetNames } from './load.ts'
import { merged } from './merged.ts'
import { namesMet } from './names-met.ts'
import { IncompleteInput } from './packing.ts'
import { wordsOfLines } from './required-words.ts'
import { TimesOfRows } from './times-of-rows.ts'
import { STREAM_PAUSE_MS } from './tuning.ts'

export interface StreamTableOptions {
  readonly definition: RecordTableDefinition
  /** The paths of the inputs. `-` is standard input; files are followed when they grow or are replaced. */
  readonly paths: readonly string[]
  readonly format: FormatName
  readonly nowNs: () => bigint
  readonly options?: RecordOptions | undefined
  /** True if followed files are read from their start; by default only new lines are read. */
  readonly isFromStart?: boolean | undefined
  readonly hasFileNames?: boolean | undefined
  /** The signal that ends the stream, such as an interrupt. The query then answers with the rows that have arrived. */
  readonly signal: AbortSignal
  /** Called at the end with the report of what was read. */
  readonly onRead?: (report: IngestReport) => void
}

/** One query's scan of a stream. */
class StreamScan {
  readonly #options: StreamTableOptions
  readonly #request: ScanRequest
  readonly #report = emptyReport()
  readonly #times: TimesOfRows
  /** The names of fields in all rows, including rows that were left out. */
  readonly #names: Set<string>
  readonly #columns: ReadonlySet<string> | undefined
  /** Aborts when no more rows are wanted, for any reason. */
  readonly #end: AbortSignal

  constructor(options: StreamTableOptions, request: ScanRequest, times: TimesOfRows, names: Set<string>) {
    this.#times = times
    this.#names = names
    this.#options = options
    this.#request = request
    this.#columns = request.columns === undefined ? undefined : new Set(request.columns)
    this.#end = AbortSignal.any([options.signal, request.signal])
  }

  async *batches(): AsyncGenerator<RecordBatch> {
    const { paths, onRead } = this.#options
    try {
      yield* merged(paths.map((path) => (path === '-' || isNamedPipe(path) ? this.#piped(path) : this.#followed(path))))
    } finally {
      onRead?.(this.#report)
    }
  }

  #reading(): ReadContext {
    return { nowNs: this.#options.nowNs(), options: this.#options.options }
  }

  async *#piped(path: string): AsyncGenerator<RecordBatch> {
    const chunks = this.#untilEnd(openInput(path, 0, this.#end))
    yield* this.#batchesOf(await openFormat(chunks, this.#options.format, this.#reading()), path)
  }

  /**
   * Yields the chunks that arrive before the end. An error after the end counts as the end of the stream, unless it is
   * a CommandError.
   */
  async *#untilEnd(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks
    } catch (error) {
      if (!this.#end.aborted || error instanceof CommandError) throw error
    }
  }

  async *#followed(path: string): AsyncGenerator<RecordBatch> {
    const format = formatFor(path, this.#options.format)
    const file = new FollowedFile(path, this.#options.isFromStart === true, this.#end)
    try {
      while (!this.#end.aborted) {
        const chunks = await file.open(format, this.#reading())
        if (chunks !== undefined) yield* this.#batchesOf(chunks, path)
      }
    } finally {
      file.close()
    }
  }

  /** Yields the rows of an input in the order of its lines, without unneeded fields and rows. */
  async *#batchesOf(input: OpenedInput, path: string): AsyncGenerator<RecordBatch> {
    const report = this.#report
    const { definition, format, hasFileNames, options } = this.#options
    let table = new MemoryTable(definition, {
      isReadOnce: true,
      keptFields: this.#columns,
      keptRows: { words: wordsOfLines(this.#request.predicate, definition.timeField), range: this.#request.range },
    })
    const reader = table.writer.reader(recordFormat(input.format, format, options), this.#reading())
    const taken = (): RecordBatch[] => {
      countAppended(report, reader.take())
      meetNames(report, table, this.#reading())
      this.#times.add(table.view.snapshot(), table.writer.rows)
      for (const name of table.view.namesMet()) this.#names.add(name)
      const batches = [...table.view.batchesAsStored()]
      table = table.emptyTwin()
      if (hasFileNames === true) table.writer.rows.origin = path
      reader.into(table.writer.rows)
      return batches
    }
    if (hasFileNames === true) table.writer.rows.origin = path
    for await (const chunk of withPauses(this.#chunks(input), STREAM_PAUSE_MS, () => reader.isOpen)) {
      if (chunk === undefined) reader.flush()
      else {
        if (!isUtf8(chunk)) report.damagedLines += damagedLines(chunk)
        reader.append(chunk, { ...this.#reading(), firstLine: report.lines + 1 })
      }
      yield* taken()
    }
    reader.flush()
    yield* taken()
    for (const name of namesMet(table, this.#reading())) this.#names.add(name)
  }

  /**
   * Yields the complete lines of an input. When its end cannot be read, the lines before it are yielded and the report
   * names the error.
   */
  async *#chunks(input: OpenedInput): AsyncGenerator<Uint8Array> {
    try {
      yield* recordChunks(input, this.#report)
    } catch (error) {
      if (!(error instanceof IncompleteInput) || this.#report.bytes === 0) throw error
      this.#report.passedOver.push({ reason: error.message, isText: true })
    }
  }
}

/**
 * Unending inputs as one table, which can be read once. Its rows are in the order of their arrival. The table does not
 * store rows; only the query that reads them may.
 */
export class StreamTable implements Table {
  readonly definition: RecordTableDefinition
  readonly note = 'read as it comes, in the order in which it comes'
  readonly #options: StreamTableOptions
  readonly #times = new TimesOfRows()
  readonly #names = new Set<string>()

  constructor(options: StreamTableOptions) {
    this.#options = options
    this.definition = options.definition
  }

  grade(filter: Expr): FilterGrade {
    return wordsOfLines([filter], this.definition.timeField).size > 0 ? 'superset' : 'none'
  }

  timesMet(): TimesMet | undefined {
    return this.#times.met()
  }

  /** Returns the fields of the rows so far. Facts that would need a second reading are missing. */
  readFields(): KnownFields | undefined {
    const names = this.#names
    if (names.size === 0) return undefined
    return {
      rows: names.size,
      isWhole: true,
      has: (field) => names.has(field),
      fields: () => new Map(Array.from(names, (name) => [name, 0])),
      texts: () => undefined,
    }
  }

  knownFields(): KnownFields | undefined {
    return this.readFields()
  }

  scan(request: ScanRequest): ScanResult {
    const scan = new StreamScan(this.#options, request, this.#times, this.#names)
    return { applied: { order: true }, batches: scan.batches() }
  }
}
