import { CHUNK_BYTES, SluiceError, nowhere, printable } from '../../base/index.ts'
import { batchLogNames, type BatchLogName, type LogEnds } from './batch-parts.ts'
import { durableDiagnostic } from './diagnostics.ts'
import type { RecordLog } from './record-log.ts'
import { logFile } from './read-log.ts'

/** A row group of a part, with everything that is known without reading the file. */
export interface RowGroupEntry {
  /** The position in the file and the length, in bytes. */
  readonly at: number
  readonly bytes: number
  /** CRC-32 of these bytes. */
  readonly crc: number
  readonly rowCount: number
  readonly epoch: number
  /** The times of the first and the last row, in nanoseconds since the start of the epoch. */
  readonly firstDelta: number
  readonly lastDelta: number
  /** The half-open range of sequence numbers that includes those of all rows. */
  readonly firstSequence: number
  readonly endSequence: number
}

/** The file of a part, without its name. */
export interface PartSummary {
  readonly bytes: number
  /** CRC-32 of the whole file. */
  readonly crc: number
  /** Row groups, by their number in the part. */
  readonly rowGroups: readonly RowGroupEntry[]
}

/**
 * A part: an immutable file with row groups of a table. A sample file is a part with one row group. There, `rowCount`
 * counts samples, and sequence numbers are ids of log records: the file has the batches after `firstSequence` up to and
 * including `endSequence`.
 */
export interface PartEntry extends PartSummary {
  /** The file name in the folder of its backend; never reused. */
  readonly name: string
  readonly createdMs: number
  /**
   * The numbers of removed row groups. They are never read. Their bytes are freed when the part is merged, or when all
   * its row groups are removed.
   */
  readonly gone?: readonly number[]
}

/** Returns the numbers of the row groups that were not removed. */
export function liveRowGroups({ rowGroups, gone = [] }: PartEntry): readonly number[] {
  return [...rowGroups.keys()].filter((number) => !gone.includes(number))
}

/** The files of one table. */
export interface TableEntry {
  readonly backend: string
  readonly table: string
  /** For each epoch a sequence number below which all rows are in parts, or were in parts and have been removed. */
  readonly covered: ReadonlyMap<number, number>
  /** Parts in the order in which they were named. */
  readonly parts: readonly PartEntry[]
  /** The dictionary file and its length up to the last valid record. */
  readonly dictionaries: DictionariesEntry | undefined
  /** True while the disk may still contain values of deleted rows, or batches with such rows. */
  readonly hasRemains: boolean
  /**
   * Damaged parts that a repair set aside. Undamaged copies of them may be restored until rows of the table are
   * deleted. Row groups that the repair copied to another part are marked as removed here.
   */
  readonly aside: readonly PartEntry[]
}

/**
 * A dictionary file with all of its records. The list allows reading one field alone and recognizing any other file.
 */
export interface DictionariesEntry {
  readonly name: string
  readonly bytes: number
  readonly records: readonly DictionaryRecord[]
}

/** One record of a dictionary file, with entries of one field. */
export interface DictionaryRecord {
  readonly field: string
  /** The position and the length of the record, in bytes. */
  readonly at: number
  readonly bytes: number
  /** The number of codes of the field up to this record, including code 0. */
  readonly size: number
  readonly checksum: number
  /** The number of the field's entries up to this record that are not strings. */
  readonly otherEntries: number
  /** The directory of a record that is stored in pages; it is read without the pages. */
  readonly directory?: { readonly bytes: number; readonly checksum: number; readonly filterPages: number }
}

/** The half-open range of sequence numbers of a batch's rows in its table. */
export interface BatchNumbers {
  readonly first: number
  readonly end: number
}

/** The content of a data folder except for its logs. */
export interface ManifestState {
  /** The record id up to which all rows of batches are in parts. */
  readonly retiredTo: number
  /** Batches after `retiredTo` that may have rows in parts, by record id. No other batch has any. */
  readonly batches: ReadonlyMap<number, BatchNumbers>
  /** Batches up to this record id of the sample log are in files. */
  readonly samplesTo: number
  /**
   * The last record of each batch log when the manifest was last edited. A log that ends before this record is an older
   * copy.
   */
  readonly logEnds: LogEnds
  /** The number in the name of the next file. */
  readonly nextFile: number
  /** Tables by `tableKey`. Sample files are the parts of the table `samples`. */
  readonly tables: ReadonlyMap<string, TableEntry>
}

export interface TableEdit {
  readonly backend: string
  readonly table: string
  readonly covered?: readonly (readonly [epoch: number, below: number])[]
  readonly add?: readonly PartEntry[]
  /** Names of parts. */
  readonly remove?: readonly string[]
  /** All removed row groups of each part that stays and has lost some. */
  readonly gone?: readonly (readonly [name: string, rowGroups: readonly number[]])[]
  /** Records are appended to those of the same file; another file replaces the old one. */
  readonly dictionaries?: DictionariesEntry | undefined
  readonly hasRemains?: boolean
  /** Parts to set aside, which `remove` also names. A part that is added again is no longer set aside. */
  readonly addAside?: readonly PartEntry[]
  readonly forgetAside?: boolean
}

/** Returns the record ids up to which the batch logs need not be read. */
export function inFiles({ retiredTo, samplesTo }: Pick<ManifestState, 'retiredTo' | 'samplesTo'>): LogEnds {
  return { batches: retiredTo, samples: samplesTo }
}

/** One atomic change of the manifest. */
export interface ManifestEdit {
  readonly retiredTo?: number
  readonly batches?: readonly (readonly [id: number, first: number, end: number])[]
  readonly samplesTo?: number
  readonly logEnds?: LogEnds
  readonly nextFile?: number
  readonly tables?: readonly TableEdit[]
}

/** The ids before the first record and of the last record of an open batch log. */
interface LogRange {
  readonly startId: number
  readonly lastId: number
}

/** Returns the id of the last log record that the manifest knows. */
export function lastKnown({ logEnds, batches, ...state }: ManifestState, logName: BatchLogName): number {
  let last = Math.max(logEnds[logName], inFiles(state)[logName])
  if (logName === 'batches') for (const id of batches.keys()) if (id > last) last = id
  return last
}

/**
 * Returns a description of how the manifest and a batch log disagree; `undefined` when they fit. A log older than the
 * manifest would reuse ids of stored batches for new ones, and a later start would skip these.
 */
export function logMismatch(
  state: ManifestState,
  logName: BatchLogName,
  { startId, lastId }: LogRange,
): string | undefined {
  const known = lastKnown(state, logName)
  if (lastId < known)
    return `it ends at record ${lastId}, but ${logFile('manifest')} knows records up to ${known}: it is an older log`
  const inFile = inFiles(state)[logName]
  if (startId > inFile)
    return `records ${inFile + 1} to ${startId} have left it, and no file is named that has their rows`
  return undefined
}

/** Throws `durable/damaged` when the manifest and a batch log do not fit. */
export function checkLog(state: ManifestState, logName: BatchLogName, range: LogRange): void {
  const what = logMismatch(state, logName, range)
  if (what !== undefined)
    throw new SluiceError([durableDiagnostic('damaged', { part: logFile(logName), what }, nowhere)])
}

export function tableKey(backend: string, table: string): string {
  return JSON.stringify([backend, table])
}

/** A table's state, built from edits. The cost of an edit depends only on its size. */
class TableEdits {
  readonly #backend: string
  readonly #table: string
  readonly #covered = new Map<number, number>()
  readonly #parts = new Map<string, PartEntry>()
  readonly #aside = new Map<string, PartEntry>()
  #dictionaries: Omit<DictionariesEntry, 'records'> | undefined
  /** The records of `#dictionaries`, which is stored without them. */
  #records: DictionaryRecord[] = []
  #hasRemains = false
  #made: TableEntry | undefined

  constructor({ backend, table }: Pick<TableEdit, 'backend' | 'table'>) {
    this.#backend = backend
    this.#table = table
  }

  apply(edit: TableEdit): void {
    this.#made = undefined
    const { covered = [], add = [], remove = [], gone = [], addAside = [] } = edit
    for (const [epoch, below] of covered) this.#covered.set(epoch, below)
    for (const name of remove) this.#parts.delete(name)
    for (const [name, rowGroups] of gone) {
      const entry = this.#parts.get(name)
      if (entry !== undefined) this.#parts.set(name, { ...entry, gone: rowGroups })
    }
    for (const entry of add) {
      this.#parts.set(entry.name, entry)
      this.#aside.delete(entry.name)
    }
    if (edit.forgetAside === true) this.#aside.clear()
    else for (const entry of addAside) this.#aside.set(entry.name, entry)
    if (edit.dictionaries !== undefined) this.#takeDictionaries(edit.dictionaries)
    this.#hasRemains = edit.hasRemains ?? this.#hasRemains
  }

  #takeDictionaries({ records, ...entry }: DictionariesEntry): void {
    if (this.#dictionaries?.name !== entry.name) this.#records = []
    for (const record of records) this.#records.push(record)
    this.#dictionaries = entry
  }

  /** Returns the current state; the same object until the next edit. */
  state(): TableEntry {
    return (this.#made ??= this.#make())
  }

  #make(): TableEntry {
    return {
      backend: this.#backend,
      table: this.#table,
      covered: new Map(this.#covered),
      parts: [...this.#parts.values()],
      dictionaries: this.#dictionaries && { ...this.#dictionaries, records: [...this.#records] },
      hasRemains: this.#hasRemains,
      aside: [...this.#aside.values()],
    }
  }
}

/** The manifest's state, built from edits and computed on demand. */
class ManifestEdits {
  readonly #batches = new Map<number, BatchNumbers>()
  readonly #tables = new Map<string, TableEdits>()
  #retiredTo = 0
  #samplesTo = 0
  #logEnds: LogEnds = { batches: 0, samples: 0 }
  #nextFile = 1

  apply(edit: ManifestEdit): void {
    for (const each of edit.tables ?? []) {
      const key = tableKey(each.backend, each.table)
      let table = this.#tables.get(key)
      if (table === undefined) this.#tables.set(key, (table = new TableEdits(each)))
      table.apply(each)
    }
    const { retiredTo = this.#retiredTo, samplesTo = this.#samplesTo, nextFile = this.#nextFile } = edit
    if (retiredTo !== this.#retiredTo)
      for (const id of this.#batches.keys()) if (id <= retiredTo) this.#batches.delete(id)
    for (const [id, first, end] of edit.batches ?? []) if (id > retiredTo) this.#batches.set(id, { first, end })
    this.#retiredTo = retiredTo
    this.#samplesTo = samplesTo
    this.#logEnds = edit.logEnds ?? this.#logEnds
    this.#nextFile = nextFile
  }

  state(): ManifestState {
    return {
      retiredTo: this.#retiredTo,
      batches: new Map(this.#batches),
      samplesTo: this.#samplesTo,
      logEnds: this.#logEnds,
      nextFile: this.#nextFile,
      tables: new Map(Array.from(this.#tables, ([key, table]) => [key, table.state()] as const)),
    }
  }
}

/** Returns one edit that produces the whole state. */
function wholeEdit({ retiredTo, batches, samplesTo, logEnds, nextFile, tables }: ManifestState): ManifestEdit {
  return {
    retiredTo,
    batches: Array.from(batches, ([id, { first, end }]) => [id, first, end] as const),
    samplesTo,
    logEnds,
    nextFile,
    tables: Array.from(tables.values(), ({ parts, covered, hasRemains, aside, ...rest }) => ({
      ...rest,
      ...(hasRemains ? { hasRemains } : {}),
      covered: [...covered],
      add: parts,
      ...(aside.length > 0 ? { addAside: aside } : {}),
    })),
  }
}

/** File names in the folder of a backend, without path separators. */
const FILE_NAME = /^[a-z_]+-\d+\.(?:part|dictionaries|samples)$/

/** True if a name in the folder of a backend matches Sluice's file names. */
export function isFileName(name: string): boolean {
  return FILE_NAME.test(name)
}

/** File names of builds before parts. */
const EARLIER_NAME = /^[a-z_]+-\d+\.(?:segment|filter)$/

/**
 * Parses the edit of a record. Throws `durable/damaged` when it names a file outside its backend's folder. Throws
 * `durable/earlier-format` when an earlier build wrote it.
 */
export function editOf({ body }: { readonly body: Buffer }): ManifestEdit {
  const edit = JSON.parse(body.toString()) as ManifestEdit
  const { tables = [] } = edit
  for (const { add = [], addAside = [] } of tables)
    for (const { name, rowGroups } of [...add, ...addAside] as readonly Partial<PartEntry>[])
      if (EARLIER_NAME.test(name ?? '') || rowGroups === undefined)
        throw new SluiceError([durableDiagnostic('earlier-format', { file: name ?? '' }, nowhere)])
  for (const { add = [], addAside = [], dictionaries } of tables)
    for (const file of [...add, ...addAside, dictionaries])
      if (file !== undefined && !isFileName(file.name)) {
        const what = `it names a file \`${printable(file.name)}\`, which is none of a data folder`
        throw new SluiceError([durableDiagnostic('damaged', { part: logFile('manifest'), what }, nowhere)])
      }
  return edit
}

function encoded(edit: ManifestEdit): Uint8Array {
  return Buffer.from(JSON.stringify(edit))
}

function editsOf(records: Iterable<{ readonly body: Buffer }>): ManifestEdits {
  const edits = new ManifestEdits()
  for (const record of records) edits.apply(editOf(record))
  return edits
}

/** Returns the state after all records of a manifest. */
export function manifestOf(records: Iterable<{ readonly body: Buffer }>): ManifestState {
  return editsOf(records).state()
}

/** A manifest longer than this many times its state is rewritten. */
const ANEW_RATIO = 4

/** The batch logs, which grow independently of the manifest. */
export type ManifestLogs = Readonly<Record<BatchLogName, Pick<RecordLog, 'startId' | 'lastId'>>>

export interface ManifestOptions {
  readonly logs?: ManifestLogs
  /** A manifest with fewer bytes is never rewritten; 1 MiB by default. */
  readonly anewBytes?: number | undefined
}

function endsOf({ batches, samples }: ManifestLogs): LogEnds {
  return { batches: batches.lastId, samples: samples.lastId }
}

/** Writes the current ends of the batch logs to the manifest. Must be called before later records are removed. */
export function noteLogEnds(log: RecordLog, logEnds: LogEnds): void {
  log.commit([[encoded({ logEnds })]])
}

/**
 * Names the parts of a folder. The manifest is a log of edits: each version is one atomic commit with a checksum, and a
 * commit costs only what changed. It is rewritten when it has grown.
 */
export class Manifest {
  readonly #log: RecordLog
  readonly #anewBytes: number
  readonly #logs: ManifestLogs | undefined
  readonly #edits: ManifestEdits
  #state: ManifestState
  #wholeBytes = 0
  #last: Promise<void> = Promise.resolve()

  /**
   * Reads the manifest. Each later edit records where `logs` end. Throws SluiceError `durable/damaged`, also when a log
   * and the manifest are from different times.
   */
  constructor(log: RecordLog, { logs, anewBytes = CHUNK_BYTES }: ManifestOptions = {}) {
    this.#log = log
    this.#logs = logs
    this.#anewBytes = anewBytes
    this.#edits = editsOf(log.read())
    this.#state = this.#edits.state()
    this.#wholeBytes = log.base.endBytes
    if (logs !== undefined) for (const logName of batchLogNames) checkLog(this.#state, logName, logs[logName])
  }

  /** The state on the disk. */
  get state(): ManifestState {
    return this.#state
  }

  /**
   * Resolves when the edit is on the disk; when it rejects, the edit is not stored. Edits are stored in the order of
   * the calls.
   */
  commit(edit: ManifestEdit): Promise<void> {
    const done = this.#last.then(() => this.#commit(edit))
    this.#last = done.catch(() => undefined)
    return done
  }

  async close(): Promise<void> {
    await this.#last
    this.#log.close()
  }

  async #commit(change: ManifestEdit): Promise<void> {
    const edit = this.#logs === undefined ? change : { ...change, logEnds: endsOf(this.#logs) }
    await this.#log.commitLater([[encoded(edit)]])
    this.#edits.apply(edit)
    this.#state = this.#edits.state()
    if (this.#log.end.endBytes <= Math.max(this.#anewBytes, ANEW_RATIO * this.#wholeBytes)) return
    // The edit is stored even if the rewrite fails. If the rewrite has broken the log, the next edit is rejected.
    await this.#writeAnew().catch(() => undefined)
  }

  async #writeAnew(): Promise<void> {
    const next = this.#log.beginNew(this.#log.lastId)
    try {
      next.add([encoded(wholeEdit(this.#state))])
      await this.#log.replaceBy(next)
      this.#wholeBytes = next.end.endBytes
    } finally {
      this.#log.dropNew(next)
    }
  }
}
