import { SluiceError, errorCode, runCooperatively, nowhere, present } from '../../base/index.ts'
import { countBits, type Bitmap } from '../../data/index.ts'
import { durableDiagnostic, writeFailure, type BatchLogs, type Manifest, type TableEdit } from '../durable/index.ts'
import type { Segment } from '../memory/index.ts'
import type { FolderEdits } from './folder-edits.ts'
import type { PersistedTable } from './persisted-table.ts'
import { without } from './merging/merge.ts'
import { UnusedValues } from './unused-values.ts'

/** Finds the rows to delete: returns, for each segment with such rows, a bitmap of their row numbers. */
export type FindRows = (segments: readonly Segment[]) => Promise<ReadonlyMap<Segment, Bitmap>>

interface Deletion {
  readonly persisted: PersistedTable
  readonly find: FindRows
  readonly resolve: (rows: number) => void
  readonly reject: (error: unknown) => void
  /** For each table, the next sequence number when the deletion began; `undefined` until it begins. */
  before: ReadonlyMap<PersistedTable, number> | undefined
}

export interface DeletionsOptions {
  readonly manifest: Pick<Manifest, 'state' | 'commit'>
  readonly log: Pick<BatchLogs, 'extent' | 'leave'>
  /** All tables of the folder. Their batches are in one log. */
  readonly tables: ReadonlyMap<string, PersistedTable>
  readonly edits: FolderEdits
  /** Returns the record id up to which the log no longer needs batches. */
  readonly retiredTo: () => number
}

/** Converts an error of the operating system to a SluiceError; returns any other error unchanged. */
export function refusal(error: unknown): unknown {
  if (errorCode(error) === undefined) return error
  const failure = writeFailure(error)
  if (failure.code !== 'durable/disk-full') return failure
  return new SluiceError([durableDiagnostic('deletion-stopped', {}, nowhere)])
}

/** Deletes rows from the tables of a folder, one deletion at a time. */
export class Deletions {
  readonly #options: DeletionsOptions
  readonly #waiting: Deletion[] = []
  #mayHaveRemains = true

  constructor(options: DeletionsOptions) {
    this.#options = options
  }

  /** Queues a deletion. Resolves with the number of rows that `run` has deleted; rejects if the deletion fails. */
  add(persisted: PersistedTable, find: FindRows): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    this.#waiting.push({ persisted, find, resolve, reject, before: undefined })
    return promise
  }

  get areWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Rejects all deletions that have not begun. */
  refuse(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(refusal(error))
  }

  /**
   * Closes the tails of all tables, so that all rows that arrived before a waiting deletion are sealed and their
   * batches can leave the log.
   */
  fillBefore(): void {
    const all = [...this.#options.tables.values()]
    for (const deletion of this.#waiting) {
      if (deletion.before !== undefined) continue
      deletion.before = new Map(all.map((persisted) => [persisted, persisted.table.writer.rows.nextSequence]))
      for (const { table } of all) table.tails.closeAll()
    }
  }

  /** Runs the waiting deletions whose tables have all earlier rows in files. */
  async run(): Promise<void> {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      // Unacknowledged rows may be rolled back and are not in files yet; the next acknowledgement calls `run` again.
      for (const [{ waiting }, before] of first.before ?? [])
        if (waiting.some(({ sequenceBase }) => sequenceBase < before)) return
      if (first.before === undefined) return
      this.#waiting.shift()
      try {
        first.resolve(await this.#deleteRows(first))
      } catch (error) {
        first.reject(refusal(error))
      }
    }
  }

  async #deleteRows({ persisted, find }: Deletion): Promise<number> {
    const { edits, manifest } = this.#options
    const { table, backend } = persisted
    // Parts that a repair set aside are not searched, so they must be forgotten: restoring them would bring back
    // deleted rows.
    if ((manifest.state.tables.get(persisted.key)?.aside.length ?? 0) > 0)
      await manifest.commit({ tables: [{ backend, table: table.definition.name, forgetAside: true }] })
    const unused = new UnusedValues(table)
    if (this.#hasRemains(persisted)) unused.addAll()
    const found = await find(table.segments.all)
    let rows = 0
    for (const gone of found.values()) rows += countBits(gone)
    const remainderOf = async (segment: Segment): Promise<readonly Segment[]> => {
      const gone = present(found.get(segment), 'deleted rows of the segment')
      await runCooperatively(unused.add(segment, gone))
      const remainder = await runCooperatively(without(table, segment, gone))
      return remainder === undefined ? [] : [remainder]
    }
    const remainders = async function* (segments: Iterable<Segment>): AsyncGenerator<Segment> {
      for (const segment of segments) yield* await remainderOf(segment)
    }
    for (const part of edits.parts(persisted)) {
      const own = [...found.keys()].filter((segment) => persisted.rowGroups.get(segment)?.name === part.name)
      if (own.length === 0) continue
      await edits.replace(persisted, [part], { without: new Set(own), by: remainders(own) }, { hasRemains: true })
      // Frees space now: on a nearly full disk, the next part needs the space of the replaced one.
      edits.removeLeft()
    }
    // Rows that never were in the log exist only in memory.
    for (const segment of found.keys())
      if (table.segments.all.includes(segment)) table.segments.replace(new Set([segment]), await remainderOf(segment))
    edits.changed()
    if (this.#hasRemains(persisted)) await this.#removeRemains(persisted, unused)
    return rows
  }

  #hasRemains({ key }: PersistedTable): boolean {
    return this.#options.manifest.state.tables.get(key)?.hasRemains === true
  }

  /** Completes the removal of values and batches that an interrupted deletion has left on the disk. */
  async removeOldRemains(): Promise<void> {
    if (!this.#mayHaveRemains) return
    this.#mayHaveRemains = false
    for (const persisted of this.#options.tables.values()) {
      if (!this.#hasRemains(persisted)) continue
      const unused = new UnusedValues(persisted.table)
      unused.addAll()
      await this.#removeRemains(persisted, unused)
    }
  }

  /** Removes values without rows from the dictionary file, and batches whose rows are in segments from the log. */
  async #removeRemains(persisted: PersistedTable, unused: UnusedValues): Promise<void> {
    const { edits, log, manifest } = this.#options
    const { backend, table } = persisted
    const edit: TableEdit = { backend, table: table.definition.name, hasRemains: false }
    const retiredTo = this.#options.retiredTo()
    if (retiredTo > log.extent.startId) await log.leave(retiredTo)
    if (!(await runCooperatively(unused.forget()))) return manifest.commit({ tables: [edit] })
    const { dictionaries, before, named } = await persisted.files.renewDictionaries(edits.nextFile++)
    await manifest.commit({ nextFile: edits.nextFile, tables: [{ ...edit, dictionaries }] })
    named()
    if (before !== undefined) edits.leave(backend, [before])
    return undefined
  }
}
