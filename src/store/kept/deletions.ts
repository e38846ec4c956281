import { SluiceError, errorCode, inTurns, nowhere, present } from '../../base/index.ts'
import { countBits, type Bitmap } from '../../data/index.ts'
import { durableDiagnostic, writeFailure, type BatchLogs, type Manifest, type TableEdit } from '../durable/index.ts'
import type { Segment } from '../memory/index.ts'
import type { FolderEdits, Kept } from './folder-edits.ts'
import { without } from './merging/merge.ts'
import { UnusedValues } from './unused-values.ts'

/** Finds rows, as bitmaps over the rows of their segments; a segment without any is left out. */
export type FindRows = (segments: readonly Segment[]) => Promise<ReadonlyMap<Segment, Bitmap>>

interface Deletion {
  readonly kept: Kept
  readonly find: FindRows
  readonly resolve: (rows: number) => void
  readonly reject: (error: unknown) => void
  /** By table, the number that the next row had when it began. */
  before: ReadonlyMap<Kept, number> | undefined
}

export interface DeletionsOptions {
  readonly manifest: Pick<Manifest, 'state' | 'commit'>
  readonly log: Pick<BatchLogs, 'extent' | 'leave'>
  /** All tables of the folder, whose batches share one log. */
  readonly tables: ReadonlyMap<string, Kept>
  readonly edits: FolderEdits
  /** Batches up to this one are not needed in the log. */
  readonly retiredTo: () => number
}

/** What the system refuses is told in words; a fault of the program stays what it is. */
export function refusal(error: unknown): unknown {
  if (errorCode(error) === undefined) return error
  const failure = writeFailure(error)
  if (failure.code !== 'durable/disk-full') return failure
  return new SluiceError([durableDiagnostic('deletion-stopped', {}, nowhere)])
}

/** Deletions of rows from the tables of a folder, one after the other. */
export class Deletions {
  readonly #options: DeletionsOptions
  readonly #waiting: Deletion[] = []
  #mayHaveRemains = true

  constructor(options: DeletionsOptions) {
    this.#options = options
  }

  /** Resolves with the number of rows that `run` deletes; rejects with what keeps it from that. */
  add(kept: Kept, find: FindRows): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    this.#waiting.push({ kept, find, resolve, reject, before: undefined })
    return promise
  }

  get areWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Refuses all that have not begun. */
  refuse(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(refusal(error))
  }

  /** Rows that came before a deletion are sealed, of all tables: their batches are to leave the log. */
  fillBefore(): void {
    const all = [...this.#options.tables.values()]
    for (const deletion of this.#waiting) {
      if (deletion.before !== undefined) continue
      deletion.before = new Map(all.map((kept) => [kept, kept.table.writer.rows.nextSequence]))
      for (const { table } of all) table.tails.closeAll()
    }
  }

  /** Runs those whose rows are all in files. */
  async run(): Promise<void> {
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      // Rows that may still be taken back wait; the next batch that is told comes here again.
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

  async #deleteRows({ kept, find }: Deletion): Promise<number> {
    const { edits, manifest } = this.#options
    const { table, backend } = kept
    // What was set aside is not looked at, and must not bring back what is deleted.
    if ((manifest.state.tables.get(kept.key)?.aside.length ?? 0) > 0)
      await manifest.commit({ tables: [{ backend, table: table.definition.name, forgetAside: true }] })
    const unused = new UnusedValues(table)
    if (this.#hasRemains(kept)) unused.addAll()
    const found = await find(table.segments.all)
    let rows = 0
    for (const gone of found.values()) rows += countBits(gone)
    const remainderOf = async (segment: Segment): Promise<readonly Segment[]> => {
      const gone = present(found.get(segment), 'deleted rows of the segment')
      await inTurns(unused.add(segment, gone))
      const remainder = await inTurns(without(table, segment, gone))
      return remainder === undefined ? [] : [remainder]
    }
    const remainders = async function* (segments: Iterable<Segment>): AsyncGenerator<Segment> {
      for (const segment of segments) yield* await remainderOf(segment)
    }
    for (const part of edits.parts(kept)) {
      const own = [...found.keys()].filter((segment) => kept.rowGroups.get(segment)?.name === part.name)
      if (own.length === 0) continue
      await edits.replace(kept, [part], { without: new Set(own), by: remainders(own) }, { hasRemains: true })
      // On a disk that is nearly full the next part takes the place of this one.
      edits.removeLeft()
    }
    // Rows of no batch, which are in memory alone.
    for (const segment of found.keys())
      if (table.segments.all.includes(segment)) table.segments.replace(new Set([segment]), await remainderOf(segment))
    edits.changed()
    if (this.#hasRemains(kept)) await this.#removeRemains(kept, unused)
    return rows
  }

  #hasRemains({ key }: Kept): boolean {
    return this.#options.manifest.state.tables.get(key)?.hasRemains === true
  }

  /** What a deletion that was interrupted has left. */
  async removeOldRemains(): Promise<void> {
    if (!this.#mayHaveRemains) return
    this.#mayHaveRemains = false
    for (const kept of this.#options.tables.values()) {
      if (!this.#hasRemains(kept)) continue
      const unused = new UnusedValues(kept.table)
      unused.addAll()
      await this.#removeRemains(kept, unused)
    }
  }

  /** Takes values that no row has out of the dictionaries, and batches whose rows lie in segments out of the log. */
  async #removeRemains(kept: Kept, unused: UnusedValues): Promise<void> {
    const { edits, log, manifest } = this.#options
    const { backend, table } = kept
    const edit: TableEdit = { backend, table: table.definition.name, hasRemains: false }
    const retiredTo = this.#options.retiredTo()
    if (retiredTo > log.extent.startId) await log.leave(retiredTo)
    if (!(await inTurns(unused.forget()))) return manifest.commit({ tables: [edit] })
    const { dictionaries, before, named } = await kept.files.renewDictionaries(edits.nextFile++)
    await manifest.commit({ nextFile: edits.nextFile, tables: [{ ...edit, dictionaries }] })
    named()
    if (before !== undefined) edits.leave(backend, [before])
    return undefined
  }
}
