import { CHUNK_BYTES, SluiceError, nowhere, printable } from '../../base/index.ts'
import { batchParts, type BatchPart, type LogEnds } from './batch-parts.ts'
import { durableDiagnostic } from './diagnostics.ts'
import type { RecordLog } from './record-log.ts'
import { logFile } from './read-log.ts'

/** A row group of a part, and all that is known of it without reading the file. */
export interface RowGroupEntry {
  /** Where it begins in the file, and its length, bytes. */
  readonly at: number
  readonly bytes: number
  /** CRC-32 of these bytes. */
  readonly crc: number
  readonly rowCount: number
  readonly epoch: number
  /** Times of the first and the last row, nanoseconds after the start of the epoch. */
  readonly firstDelta: number
  readonly lastDelta: number
  /** The rows were taken in within this half-open range. */
  readonly firstSequence: number
  readonly endSequence: number
}

/** The file of a part, without its name. */
export interface PartSummary {
  readonly bytes: number
  /** CRC-32 of the whole file. */
  readonly crc: number
  /** By their numbers in the part. */
  readonly rowGroups: readonly RowGroupEntry[]
}

/**
 * A part: an immutable file of row groups of a table. A file of samples is a part with one row group, whose rows are samples and whose sequence
 * numbers are records of the log: it has what came with those behind the first and up to the end.
 */
export interface PartEntry extends PartSummary {
  /** Of the file, in the folder of its backend; never given twice. */
  readonly name: string
  readonly createdMs: number
  /** Numbers of row groups that were deleted: they are not read, and leave the disk when the part is merged or has no other. */
  readonly gone?: readonly number[]
}

/** Numbers of the row groups of a part that were not deleted. */
export function liveRowGroups({ rowGroups, gone = [] }: PartEntry): readonly number[] {
  return [...rowGroups.keys()].filter((number) => !gone.includes(number))
}

/** What is on the disk of one table. */
export interface TableEntry {
  readonly backend: string
  readonly table: string
  /** By epoch: rows with lower numbers lie in parts, or have been removed since. */
  readonly covered: ReadonlyMap<number, number>
  /** In the order in which they were named. */
  readonly parts: readonly PartEntry[]
  /** Its file of dictionaries, as far as it is in force. */
  readonly dictionaries: DictionariesEntry | undefined
  /** Rows were deleted whose values, and the batches that brought them, may still be on the disk. */
  readonly hasRemains: boolean
  /**
   * Damaged parts that were taken out: the same files, whole again, may come back until rows of the table are deleted. Their row groups that were whole
   * are gone: another part has them.
   */
  readonly aside: readonly PartEntry[]
}

/** A file of dictionaries with all of its records, so that those of one field are read alone, and no other file is taken for it. */
export interface DictionariesEntry {
  readonly name: string
  readonly bytes: number
  readonly records: readonly DictionaryRecord[]
}

/** One record of a dictionaries file: entries of a field. */
export interface DictionaryRecord {
  readonly field: string
  /** Where it begins, and its length, bytes. */
  readonly at: number
  readonly bytes: number
  /** Codes that the field has with it, code 0 included. */
  readonly size: number
  readonly checksum: number
  /** How many of the field's entries with it are no texts. */
  readonly otherEntries: number
  /** Of a record in pages: its directory, which is read without the pages. */
  readonly directory?: { readonly bytes: number; readonly checksum: number; readonly filterPages: number }
}

/** The half-open range of numbers that the rows of a batch took in their table. */
export interface BatchNumbers {
  readonly first: number
  readonly end: number
}

/** What a data folder holds apart from its logs. */
export interface ManifestState {
  /** Batches up to this record lie wholly in parts. */
  readonly retiredTo: number
  /** By record of the log behind `retiredTo`: batches that may have rows in parts. No other has any. */
  readonly batches: ReadonlyMap<number, BatchNumbers>
  /** Batches of the log of samples up to this record lie wholly in files. */
  readonly samplesTo: number
  /** The last record of each log of batches when the last edit was written: a log that ends before it is an older one. */
  readonly logEnds: LogEnds
  /** The number that the next file gets in its name. */
  readonly nextFile: number
  /** By `tableKey`; files of samples are the parts of the table `samples`. */
  readonly tables: ReadonlyMap<string, TableEntry>
}

export interface TableEdit {
  readonly backend: string
  readonly table: string
  readonly covered?: readonly (readonly [epoch: number, below: number])[]
  readonly add?: readonly PartEntry[]
  /** Names of parts. */
  readonly remove?: readonly string[]
  /** Row groups that are gone from parts that stay: for each part all of them. */
  readonly gone?: readonly (readonly [name: string, rowGroups: readonly number[]])[]
  /** Its records go behind those of the same file; another file takes its place. */
  readonly dictionaries?: DictionariesEntry | undefined
  readonly hasRemains?: boolean
  /** Of parts that `remove` names. One that is added again leaves these. */
  readonly addAside?: readonly PartEntry[]
  readonly forgetAside?: boolean
}

/** How far the logs of batches need not be read, as far as files go. */
export function inFiles({ retiredTo, samplesTo }: Pick<ManifestState, 'retiredTo' | 'samplesTo'>): LogEnds {
  return { batches: retiredTo, samples: samplesTo }
}

/** One step from a state to the next, which is on the disk wholly or not at all. */
export interface ManifestEdit {
  readonly retiredTo?: number
  readonly batches?: readonly (readonly [id: number, first: number, end: number])[]
  readonly samplesTo?: number
  readonly logEnds?: LogEnds
  readonly nextFile?: number
  readonly tables?: readonly TableEdit[]
}

/** A log of batches as it was opened: the id before its first record, and that of its last one. */
interface LogRange {
  readonly startId: number
  readonly lastId: number
}

/** The last record of a log that the manifest knows of. */
export function lastKnown({ logEnds, batches, ...state }: ManifestState, part: BatchPart): number {
  let last = Math.max(logEnds[part], inFiles(state)[part])
  if (part === 'batches') for (const id of batches.keys()) if (id > last) last = id
  return last
}

/**
 * What is wrong between the manifest and a log of batches, in words; `undefined` where each knows what the other needs. A log that is older than
 * the manifest would give new batches ids that the manifest takes for those of stored ones, and a later start would pass over them.
 */
export function logMismatch(state: ManifestState, part: BatchPart, { startId, lastId }: LogRange): string | undefined {
  const known = lastKnown(state, part)
  if (lastId < known)
    return `it ends at record ${lastId}, but ${logFile('manifest')} knows records up to ${known}: it is an older log`
  const inFile = inFiles(state)[part]
  if (startId > inFile)
    return `records ${inFile + 1} to ${startId} have left it, and no file is named that has their rows`
  return undefined
}

/** Throws `durable/damaged` where the manifest and a log of batches do not belong together. */
export function checkLog(state: ManifestState, part: BatchPart, range: LogRange): void {
  const what = logMismatch(state, part, range)
  if (what !== undefined) throw new SluiceError([durableDiagnostic('damaged', { part: logFile(part), what }, nowhere)])
}

export function tableKey(backend: string, table: string): string {
  return JSON.stringify([backend, table])
}

/** A table in the making: an edit costs what it changes. */
class TableEdits {
  readonly #backend: string
  readonly #table: string
  readonly #covered = new Map<number, number>()
  readonly #parts = new Map<string, PartEntry>()
  readonly #aside = new Map<string, PartEntry>()
  #dictionaries: Omit<DictionariesEntry, 'records'> | undefined
  /** Of these dictionaries; left out as they have it. */
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

  /** The same until the next edit. */
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

/** The state that edits come to, which it makes when it is asked for. */
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

/** The edit that makes a state of nothing. */
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

/** Files of the folder of a backend; no path leads out of it. */
const FILE_NAME = /^[a-z_]+-\d+\.(?:part|dictionaries|samples)$/

/** Whether a name in the folder of a backend may be that of a file of ours. */
export function isFileName(name: string): boolean {
  return FILE_NAME.test(name)
}

/** Files of builds before parts. */
const EARLIER_NAME = /^[a-z_]+-\d+\.(?:segment|filter)$/

/**
 * The edit of a record. Throws `durable/damaged` where it names what is no file of the folder of its backend, and `durable/earlier-format` where an
 * earlier build wrote it.
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

/** The state that the records of a manifest come to. */
export function manifestOf(records: Iterable<{ readonly body: Buffer }>): ManifestState {
  return editsOf(records).state()
}

/** So many times what a state takes by itself. */
const ANEW_RATIO = 4

/** The logs of batches, which go on beside the manifest. */
export type ManifestLogs = Readonly<Record<BatchPart, Pick<RecordLog, 'startId' | 'lastId'>>>

export interface ManifestOptions {
  readonly logs?: ManifestLogs
  /** Bytes from which it is written anew where most of it has been overtaken; 1 MiB unless given. */
  readonly anewBytes?: number | undefined
}

function endsOf({ batches, samples }: ManifestLogs): LogEnds {
  return { batches: batches.lastId, samples: samples.lastId }
}

/** Returns when the manifest says that the logs end there: before records behind are taken back. */
export function noteLogEnds(log: RecordLog, logEnds: LogEnds): void {
  log.commit([[encoded({ logEnds })]])
}

/**
 * Names the parts of a folder. It is a log of edits, so that a version is one commit, atomic and checked as every record
 * is, and costs what changed; it is written anew when it has grown.
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
   * Each edit says where `logs` end. Throws SluiceError `durable/damaged`, also where one of them is of another time than the
   * manifest.
   */
  constructor(log: RecordLog, { logs, anewBytes = CHUNK_BYTES }: ManifestOptions = {}) {
    this.#log = log
    this.#logs = logs
    this.#anewBytes = anewBytes
    this.#edits = editsOf(log.read())
    this.#state = this.#edits.state()
    this.#wholeBytes = log.base.endBytes
    if (logs !== undefined) for (const part of batchParts) checkLog(this.#state, part, logs[part])
  }

  /** As it is on the disk. */
  get state(): ManifestState {
    return this.#state
  }

  /** Resolves when the edit is on the disk; one that rejects is not there. In the order of the calls. */
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
    // The edit is on the disk whatever becomes of this; a log that it broke refuses the next one.
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
