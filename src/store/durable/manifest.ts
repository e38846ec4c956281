import { CHUNK_BYTES, SluiceError, nowhere, printable } from '../../base/index.ts'
import { batchLogNames, type BatchLogName, type LogEnds } from './batch-parts.ts'
import { durableDiagnostic } from './diagnostics.ts'
import type { RecordLog } from './record-log.ts'
import { logFile } from './read-log.ts'

/** Facts about a row group of a part that are known without reading the file. */
export interface RowGroupEntry {
  /** The position of the row group in the file, in bytes. */
  readonly at: number
  readonly bytes: number
  /** CRC-32 of the row group's bytes. */
  readonly crc: number
  readonly rowCount: number
  readonly epoch: number
  /** The times of the first and the last row, in nanoseconds since the start of the epoch. */
  readonly firstDelta: number
  readonly lastDelta: number
  /** Start of the half-open range that contains the sequence numbers of all rows. */
  readonly firstSequence: number
  readonly endSequence: number
}

/** Facts about the file of a part, except its name. */
export interface PartSummary {
  readonly bytes: number
  /** CRC-32 of the whole file. */
  readonly crc: number
  /** The row groups; the index is the number of the row group in the part. */
  readonly rowGroups: readonly RowGroupEntry[]
}

/**
 * A part: an immutable file with row groups of a table. A sample file is a part with one row group, in which `rowCount`
 * counts samples and sequence numbers are record ids of the log: the file has the batches after `firstSequence` up to
 * and including `endSequence`.
 */
export interface PartEntry extends PartSummary {
  /** The file name in the folder of the backend. Names are never reused. */
  readonly name: string
  readonly createdMs: number
  /**
   * Numbers of removed row groups, which are never read. Their bytes are freed when the part is merged, or when all of
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
  /**
   * For each epoch, the sequence number below which all rows are stored in parts, or were stored in parts and later
   * removed.
   */
  readonly covered: ReadonlyMap<number, number>
  /** Parts in the order in which edits added them. */
  readonly parts: readonly PartEntry[]
  /** The dictionary file; `undefined` if the table has none. */
  readonly dictionaries: DictionariesEntry | undefined
  /** True while the disk may still contain values of deleted rows, or log records of batches with deleted rows. */
  readonly hasRemains: boolean
  /**
   * Damaged parts that a repair set aside. If an undamaged copy of such a part is found, it can be restored, until rows
   * of the table are deleted. Row groups that the repair copied to another part count as removed here.
   */
  readonly aside: readonly PartEntry[]
}

/**
 * A dictionary file and all of its records. The list makes it possible to read one field alone, and to detect a wrong
 * file.
 */
export interface DictionariesEntry {
  readonly name: string
  readonly bytes: number
  readonly records: readonly DictionaryRecord[]
}

/** One record of a dictionary file, which has entries of a single field. */
export interface DictionaryRecord {
  readonly field: string
  /** The position of the record in the file, in bytes. */
  readonly at: number
  readonly bytes: number
  /** The number of codes of the field after this record, including code 0. */
  readonly size: number
  readonly checksum: number
  /** The number of the field's entries that are not strings, after this record. */
  readonly otherEntries: number
  /** For a record stored in pages: its directory, which can be read without the pages. */
  readonly directory?: { readonly bytes: number; readonly checksum: number; readonly filterPages: number }
}

/** The half-open range of sequence numbers that the rows of a batch have in their table. */
export interface BatchNumbers {
  readonly first: number
  readonly end: number
}

/** The state of a data folder according to its manifest. */
export interface ManifestState {
  /** Record id in the log `batches`; all rows of batches up to this id are in parts. */
  readonly retiredTo: number
  /**
   * Batches after `retiredTo` that may have rows in parts, by record id. Later batches that are not listed have no rows
   * in parts.
   */
  readonly batches: ReadonlyMap<number, BatchNumbers>
  /** Record id in the log `samples`; all samples of batches up to this id are in files. */
  readonly samplesTo: number
  /**
   * The id of the last record of each batch log at the time of the last manifest edit. A log that ends before this
   * record is an older copy.
   */
  readonly logEnds: LogEnds
  /** The number to use in the name of the next new file. */
  readonly nextFile: number
  /** Tables by `tableKey`. Sample files are the parts of the table named `samples`. */
  readonly tables: ReadonlyMap<string, TableEntry>
}

export interface TableEdit {
  readonly backend: string
  readonly table: string
  readonly covered?: readonly (readonly [epoch: number, below: number])[]
  readonly add?: readonly PartEntry[]
  /** Names of parts to remove. */
  readonly remove?: readonly string[]
  /** For parts that lost row groups but remain: the numbers of all their removed row groups, earlier ones included. */
  readonly gone?: readonly (readonly [name: string, rowGroups: readonly number[]])[]
  /** New records of the current dictionary file, or a new file that replaces the current one. */
  readonly dictionaries?: DictionariesEntry | undefined
  readonly hasRemains?: boolean
  /** Parts to set aside; `remove` must name them too. Adding a part again ends its set-aside state. */
  readonly addAside?: readonly PartEntry[]
  readonly forgetAside?: boolean
}

/** Returns, for each batch log, the record id up to which all content is in files. */
export function inFiles({ retiredTo, samplesTo }: Pick<ManifestState, 'retiredTo' | 'samplesTo'>): LogEnds {
  return { batches: retiredTo, samples: samplesTo }
}

/** A change of the manifest, applied atomically. */
export interface ManifestEdit {
  readonly retiredTo?: number
  readonly batches?: readonly (readonly [id: number, first: number, end: number])[]
  readonly samplesTo?: number
  readonly logEnds?: LogEnds
  readonly nextFile?: number
  readonly tables?: readonly TableEdit[]
}

/** The range of an open batch log: id before its first record, and id of its last record. */
interface LogRange {
  readonly startId: number
  readonly lastId: number
}

/** Returns the highest record id of a log that the manifest mentions. */
export function lastKnown({ logEnds, batches, ...state }: ManifestState, logName: BatchLogName): number {
  let last = Math.max(logEnds[logName], inFiles(state)[logName])
  if (logName === 'batches') for (const id of batches.keys()) if (id > last) last = id
  return last
}

/**
 * Returns a description of how the manifest and a batch log disagree; `undefined` if they agree. A log older than the
 * manifest must not be used: new batches would get ids of stored batches, and a later start would skip them.
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

/** Throws `durable/damaged` if the manifest and a batch log disagree. */
export function checkLog(state: ManifestState, logName: BatchLogName, range: LogRange): void {
  const what = logMismatch(state, logName, range)
  if (what !== undefined)
    throw new SluiceError([durableDiagnostic('damaged', { part: logFile(logName), what }, nowhere)])
}

export function tableKey(backend: string, table: string): string {
  return JSON.stringify([backend, table])
}

/** The state of one table, built by applying edits. Applying an edit takes time proportional to the edit only. */
class TableEdits {
  readonly #backend: string
  readonly #table: string
  readonly #covered = new Map<number, number>()
  readonly #parts = new Map<string, PartEntry>()
  readonly #aside = new Map<string, PartEntry>()
  #dictionaries: Omit<DictionariesEntry, 'records'> | undefined
  /** The records of `#dictionaries`, which holds only the other members. */
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

/** The state of the manifest, built by applying edits; the immutable result is computed on demand. */
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

/** Returns an edit that produces the given state from an empty one. */
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

/** Pattern of file names in the folder of a backend. Path separators do not match. */
const FILE_NAME = /^[a-z_]+-\d+\.(?:part|dictionaries|samples)$/

/** True if Sluice could have written a file of this name to the folder of a backend. */
export function isFileName(name: string): boolean {
  return FILE_NAME.test(name)
}

/** Pattern of file names of builds that had no parts. */
const EARLIER_NAME = /^[a-z_]+-\d+\.(?:segment|filter)$/

/**
 * Parses the edit in a record. Throws `durable/damaged` if the edit names a file outside the folder of its backend,
 * `durable/earlier-format` if an earlier build wrote it.
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

/** Returns the state after the edits in all records of a manifest. */
export function manifestOf(records: Iterable<{ readonly body: Buffer }>): ManifestState {
  return editsOf(records).state()
}

/** The manifest is rewritten when it is longer than this many times its encoded state. */
const ANEW_RATIO = 4

/** The batch logs, which grow independently of the manifest. */
export type ManifestLogs = Readonly<Record<BatchLogName, Pick<RecordLog, 'startId' | 'lastId'>>>

export interface ManifestOptions {
  readonly logs?: ManifestLogs
  /** Minimum size of a manifest that is rewritten, bytes; 1 MiB by default. */
  readonly anewBytes?: number | undefined
}

function endsOf({ batches, samples }: ManifestLogs): LogEnds {
  return { batches: batches.lastId, samples: samples.lastId }
}

/**
 * Writes the current ends of the batch logs to the manifest. Must be called before records at the end of a log are
 * removed.
 */
export function noteLogEnds(log: RecordLog, logEnds: LogEnds): void {
  log.commit([[encoded({ logEnds })]])
}

/**
 * The list of the parts of a folder, stored as a log of edits. Each edit is an atomic commit with a checksum, and its
 * cost depends only on its size. The log is rewritten when it has grown too long.
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
   * Reads the manifest. Each later edit also records the ends of `logs`. Throws SluiceError `durable/damaged`, also if
   * a log and the manifest were saved at different times.
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
   * Resolves once the edit is on the disk. If it rejects, the edit is not stored. Edits are stored in the order of the
   * calls.
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
    // The edit is already stored, so a failed rewrite is no failure of this call. If the log is broken now, the next
    // edit fails.
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
