import { CHUNK_BYTES, always, type Interval } from '../../base/index.ts'
import { emptyReport, type FormatName, type IngestReport } from '../../ingest/index.ts'
import {
  type Expr,
  type FilterGrade,
  type KnownFields,
  type RecordTableDefinition,
  type ScanRequest,
  type ScanResult,
  type TimesMet,
} from '../../plan/index.ts'
import {
  MemoryTable,
  batchesAsStored,
  type KeptRows,
  type RecordOptions,
  type ReadContext,
  type Segment,
  type SegmentNeeds,
  type SegmentTable,
} from '../../store/index.ts'
import { isReadOnce } from './input.ts'
import { appendLinesAt } from './lines-at.ts'
import { KnownRows } from './known-rows.ts'
import { PositionLost, canNumberRows, filesLoading, hasLargeFile, loadFiles, type LoadOptions } from './load.ts'
import type { PartThread } from './parts/part-thread.ts'
import { wordsOfLines } from './required-words.ts'
import { TimesOfRows } from './times-of-rows.ts'
import { SCHEMA_HEAD_FILES } from './tuning.ts'

export interface FileTableOptions {
  readonly definition: RecordTableDefinition
  /** The paths of the files. `-` is standard input, which only one query can read. */
  readonly paths: readonly string[]
  readonly format: FormatName
  /** The time of records that have none, in nanoseconds since 1970. */
  readonly nowNs: bigint
  /** Called to report progress, like `LoadOptions.onProgress`. */
  readonly onProgress?: LoadOptions['onProgress']
  readonly signal?: LoadOptions['signal']
  /** The options that the user gave for reading the records. */
  readonly options?: RecordOptions | undefined
  readonly gathered?: LoadOptions['gathered']
  readonly hasFileNames?: LoadOptions['hasFileNames']
  /** Called with the report of what was read, before the first row of the answer. */
  readonly onRead?: (report: IngestReport) => void
}

/** The field that holds the offset of a row's line while the rest of the line has not been read. */
const PLACE = 'sluice.place'

/** Returns the smallest time range that contains the ranges of all scans; `undefined` when there is none. */
function hull(needs: readonly SegmentNeeds[]): Interval | undefined {
  const [first, ...others] = needs
  if (first === undefined) return undefined
  let { startNs, endNs } = first.range
  for (const { range } of others) {
    if (range.startNs < startNs) startNs = range.startNs
    if (range.endNs > endNs) endNs = range.endNs
  }
  return { startNs, endNs }
}

function allColumns(needs: readonly SegmentNeeds[]): ReadonlySet<string> | undefined {
  const all = new Set<string>()
  for (const { columns } of needs) {
    if (columns === undefined) return undefined
    for (const name of columns) all.add(name)
  }
  return all
}

/**
 * Returns the conditions that a row must meet to be kept: required words and a time range. Words are required only if
 * there is a single scan.
 */
function keptRowsOf(needs: readonly SegmentNeeds[], timeField: string): KeptRows {
  const [only] = needs
  const words =
    needs.length === 1 && only !== undefined
      ? wordsOfLines(only.predicate, timeField)
      : new Map<string, readonly string[]>()
  return { words, range: hull(needs) }
}

/** The facts about the rows of the latest reading. */
interface LatestRows {
  readonly known: KnownRows
  /** The conditions under which rows were kept. */
  readonly kept: KeptRows
  /** The columns that were read; all columns by default. */
  readonly columns: ReadonlySet<string> | undefined
}

/** True if the reading kept every row whose field has this value. */
function keepsAll({ kept, columns }: LatestRows, field: string, text: string): boolean {
  const { words = new Map<string, readonly string[]>(), range = always } = kept
  if (columns?.has(field) === false || range.startNs > always.startNs || range.endNs < always.endNs) return false
  const folded = text.toLowerCase()
  return Array.from(words).every(([name, list]) => name === field && list.every((word) => folded.includes(word)))
}

function covers(loaded: readonly SegmentNeeds[], needs: SegmentNeeds): boolean {
  const columns = allColumns(loaded)
  const range = hull(loaded)
  const isInRange = range !== undefined && range.startNs <= needs.range.startNs && range.endNs >= needs.range.endNs
  return isInRange && (columns === undefined || needs.columns?.every((name) => columns.has(name)) === true)
}

/** The files of one query. They are read once for all scans of the query, except scans that read rows late. */
class OpenFiles implements SegmentTable {
  readonly definition: RecordTableDefinition
  readonly positionField: string | undefined
  readonly #files: FileTable
  readonly #needs: readonly SegmentNeeds[]
  #loaded: Promise<readonly Segment[]> | undefined
  hasPositions = false

  constructor(files: FileTable, needs: readonly SegmentNeeds[]) {
    this.definition = files.definition
    this.#files = files
    this.#needs = needs
    this.positionField = files.positionField
  }

  grade(filter: Expr): FilterGrade {
    return this.#files.grade(filter)
  }

  scan(request: ScanRequest): ScanResult {
    return this.#files.scan(request)
  }

  async segments(needs: SegmentNeeds): Promise<readonly Segment[]> {
    const all = this.#needs.filter(({ isLate }) => !isLate)
    return covers(all, needs) ? (this.#loaded ??= this.#load(all)) : this.#load([needs])
  }

  async #load(needs: readonly SegmentNeeds[]): Promise<readonly Segment[]> {
    const segments: Segment[] = []
    for await (const segment of this.#files.segmentsFor(needs)) segments.push(segment)
    return segments
  }

  arriving(needs: SegmentNeeds, signal: AbortSignal): AsyncIterable<Segment> | undefined {
    if (needs.isLate) return this.#placed(needs, signal)
    return this.#needs.length > 1 ? undefined : this.#files.segmentsFor([needs], signal)
  }

  /** Yields segments whose rows carry the offsets of their lines. Ends early when a line has no offset. */
  async *#placed(needs: SegmentNeeds, signal: AbortSignal): AsyncGenerator<Segment> {
    try {
      yield* this.#files.segmentsFor([needs], signal)
      this.hasPositions = true
    } catch (error) {
      if (!(error instanceof PositionLost)) throw error
    }
  }

  rowsAt(places: readonly number[]): readonly Segment[] {
    const table = new MemoryTable(this.definition, { isReadOnce: true })
    appendLinesAt(this.#files.paths, places, table, this.#files.readContext)
    return table.view.snapshot()
  }
}

/**
 * Files of records as one table, plain or compressed, in any format of `InputFormat`. Each query reads the files again,
 * and only the fields and rows that it needs. Rows outside its time range, and rows without a word that every match
 * contains, are skipped.
 *
 * In large plain files whole rows are read late: a query first picks its rows, then reads only their lines. Reading
 * throws CommandError when a file is missing or damaged.
 */
export class FileTable implements SegmentTable {
  readonly definition: RecordTableDefinition
  readonly paths: readonly string[]
  readonly nowNs: bigint
  readonly #options: FileTableOptions
  #thread: Promise<PartThread> | undefined
  /** The names of fields in the rows that were read, whether or not the rows were kept. */
  readonly #names = new Set<string>()
  /** The facts from the latest complete reading; `undefined` while another one runs. */
  #latest: LatestRows | undefined
  #times = new TimesOfRows()

  constructor(options: FileTableOptions) {
    this.#options = options
    this.definition = options.definition
    this.paths = options.paths
    this.nowNs = options.nowNs
    // The thread starts up while the query is being planned.
    if (hasLargeFile(options.paths))
      this.#partThread()
        .then((thread) => thread.start())
        .catch(() => undefined)
  }

  #partThread(): Promise<PartThread> {
    return (this.#thread ??= import('./parts/part-thread.ts').then(({ PartThread }) => new PartThread()))
  }

  /** Returns the settings for reading records: the current time and the user's options. */
  get readContext(): ReadContext {
    return { nowNs: this.nowNs, options: this.#options.options }
  }

  get positionField(): string | undefined {
    // Rows that are read late do not record their file.
    return this.#options.hasFileNames !== true && canNumberRows(this.paths, this.#options) ? PLACE : undefined
  }

  grade(filter: Expr): FilterGrade {
    return wordsOfLines([filter], this.definition.timeField).size > 0 ? 'superset' : 'none'
  }

  open(needs: readonly SegmentNeeds[]): OpenFiles {
    return new OpenFiles(this, needs)
  }

  segments(needs: SegmentNeeds): Promise<readonly Segment[]> {
    return this.open([{ ...needs, isLate: false }]).segments(needs)
  }

  /** Returns all rows, for callers that read them batch by batch. */
  scan({ columns, predicate, range, signal }: ScanRequest): ScanResult {
    const scanned = this.segmentsFor([{ columns, predicate, range, isLate: false }], signal)
    return {
      applied: {},
      batches: (async function* () {
        for await (const segment of scanned) yield* batchesAsStored([segment])
      })(),
    }
  }

  readFields(): KnownFields | undefined {
    if (this.#latest === undefined) return undefined
    const { known } = this.#latest
    // Advice about stray text counts rows by reading the files again, which is impossible for a pipe.
    const isAgain = !this.paths.some(isReadOnce)
    return {
      rows: known.rows,
      isWhole: false,
      has: (field) => this.#names.has(field),
      fields: () => known.fields(),
      texts: (field) => known.texts(field),
      hasStrayText: (field) => isAgain && known.hasStrayText(field),
    }
  }

  timesMet(): TimesMet | undefined {
    return this.#times.met()
  }

  /**
   * Returns the known fields from the first bytes of a few files. Inputs that can be read only once have the fields of
   * the rows that were read.
   */
  async knownFields(): Promise<KnownFields> {
    const isRead = this.paths.some(isReadOnce)
    const head = new MemoryTable(this.definition, { isReadOnce: true })
    const { nowNs } = this
    const { format, options } = this.#options
    if (!isRead)
      await loadFiles(this.paths.slice(0, SCHEMA_HEAD_FILES), head, {
        format,
        nowNs,
        options,
        headBytes: CHUNK_BYTES,
      })
    const known = head.view.knownFields()
    const names = this.#names
    const latest = this.#latest
    const texts = (field: string): ReadonlyMap<string, number> | undefined => {
      const found = known.texts(field)
      const read = latest?.known.texts(field)
      if (found === undefined || latest === undefined) return found
      // The full reading found more different values than it counts.
      if (read === undefined) return undefined
      return new Map([...Array.from(read.keys(), (text) => [text, 1] as const), ...found])
    }
    return {
      rows: isRead ? names.size : known.rows,
      // An input that can be read only once has no further fields to find.
      isWhole: isRead,
      has: (field) => names.has(field) || known.has(field),
      fields: () => new Map([...Array.from(names, (name) => [name, 0] as const), ...known.fields()]),
      texts: (field) => (isRead ? undefined : texts(field)),
      knowsAll: (field, text) => latest !== undefined && keepsAll(latest, field, text),
    }
  }

  /**
   * Reads all files once for all `needs` and yields their rows in the order of the row numbers. Throws PositionLost
   * when a line has no offset.
   */
  async *segmentsFor(needs: readonly SegmentNeeds[], signal?: AbortSignal): AsyncGenerator<Segment> {
    const { definition } = this
    const columns = allColumns(needs)
    const kept = keptRowsOf(needs, definition.timeField)
    const hasPositions = needs.some(({ isLate }) => isLate)
    const table = new MemoryTable(definition, {
      isReadOnce: true,
      keptFields: columns,
      keptRows: kept,
      positionField: hasPositions ? PLACE : undefined,
    })
    this.#latest = undefined
    const known = new KnownRows(definition)
    const times = (this.#times = new TimesOfRows())
    const { format, onProgress, onRead, gathered, hasFileNames } = this.#options
    const signals = [this.#options.signal, signal].filter((each) => each !== undefined)
    const options: LoadOptions = {
      format,
      ...this.readContext,
      signal: signals.length === 0 ? undefined : AbortSignal.any(signals),
      hasPositions,
      gathered,
      hasFileNames,
      thread: () => this.#partThread(),
      ...(onProgress === undefined ? {} : { onProgress }),
    }
    const taken = (): readonly Segment[] => {
      const segments = table.segments.takeAll()
      known.add(segments)
      times.add(segments, table.writer.rows)
      return segments
    }
    const loading = filesLoading(this.paths, table, options)
    try {
      let step = await loading.next()
      for (; step.done !== true; step = await loading.next()) yield* taken()
      table.seal()
      const last = taken()
      onRead?.(step.value)
      for (const name of [...table.fields.skipped, ...known.fields().keys()]) this.#names.add(name)
      this.#latest = { known, kept, columns }
      yield* last
    } finally {
      await loading.return(emptyReport())
    }
  }

  async close(): Promise<void> {
    await (await this.#thread)?.close()
  }
}
