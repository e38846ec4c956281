import { join } from 'node:path'
import { POLL_MS, present } from '../../base/index.ts'
import { liveRowGroups, type Files, type Manifest, type PartEntry, type TableEdit } from '../durable/index.ts'
import type { MemoryTable, Segment } from '../memory/index.ts'
import type { PooledFiles } from '../segments/index.ts'
import type { Aging } from './aging.ts'
import { backendFolder } from './folders.ts'
import type { FileReaders } from './file-readers.ts'
import type { NamedRowGroup, NewPart, TableFiles } from './table-files.ts'

/** A table, and which of its segments are row groups of parts. */
export interface Kept {
  readonly key: string
  readonly backend: string
  readonly table: MemoryTable
  readonly files: TableFiles
  /** Sealed and not written yet, in the order in which they were sealed. */
  waiting: Segment[]
  /** Row groups that the manifest names, by the segment in the table. */
  readonly rowGroups: Map<Segment, NamedRowGroup>
  /** Rows of batches that the manifest has no numbers of get numbers from here on: no segment has these. */
  next: number
  /** The first row that was unsealed when what is too old was last looked for, and since when it was the first. */
  readonly aging: Aging
}

export interface FolderEditsOptions {
  readonly files: Files
  readonly folder: string
  readonly manifest: Pick<Manifest, 'state' | 'commit'>
  readonly pool: PooledFiles
  readonly nowNs: () => bigint
  /** Who in this process may read files that are not named any more; other processes hold what they read open. */
  readonly readers: FileReaders
  /** Told when files that left may be removed by now, unless nobody waits for it any more. */
  readonly onDue: () => void
  /** Told whenever tables have changed without new rows. */
  readonly onChange?: (() => void) | undefined
}

/** What comes in the place of parts. */
export interface Replacement {
  /** Row groups that are not copied. */
  readonly without?: ReadonlySet<Segment>
  /** Segments of which each becomes a part. */
  readonly by?: Iterable<Segment> | AsyncIterable<Segment>
  /** Cancels before the edit: then nothing has changed, and `replace` rejects with its reason. */
  readonly signal?: AbortSignal
}

/** What changes the files of a folder: new ones get their numbers, and old ones are removed once nobody reads them. */
export class FolderEdits {
  readonly #options: FolderEditsOptions
  /** The number of the next new file. */
  nextFile: number
  /** Files that are removed once nobody reads them, in the order in which they left; without a mark until reads are told of it. */
  readonly #leaving: { readonly path: string; mark: number | undefined }[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(options: FolderEditsOptions) {
    this.#options = options
    this.nextFile = options.manifest.state.nextFile
  }

  entryOf({ name, summary }: NewPart): PartEntry {
    return { name, ...summary, createdMs: Number(this.#options.nowNs() / 1_000_000n) }
  }

  changed(): void {
    this.#options.onChange?.()
  }

  /** The parts that the manifest names of a table. */
  parts({ key }: Kept): readonly PartEntry[] {
    return this.#options.manifest.state.tables.get(key)?.parts ?? []
  }

  /** Opens a part that was just named; its row groups are to take the place of others in the table. */
  open(kept: Kept, entry: PartEntry, nextId: () => number): readonly Segment[] {
    const opened = kept.files.openPart(entry, nextId)
    for (const each of opened) kept.rowGroups.set(each.segment, each)
    return opened.map(({ segment }) => segment)
  }

  /**
   * Puts other parts in the place of some, with one edit: one with all row groups of these, without those of `without`, and one for each segment of
   * `by`. A crash before the edit leaves files without a name, one after it files without names: both are removed at the next start.
   */
  async replace(
    kept: Kept,
    old: readonly PartEntry[],
    { without = new Set(), by = [], signal }: Replacement,
    also: Pick<TableEdit, 'hasRemains'> = {},
  ): Promise<void> {
    const { backend, table } = kept
    const names = new Set(old.map(({ name }) => name))
    const replaced = [...kept.rowGroups.values()].filter(({ name }) => names.has(name))
    const gone = new Set(
      replaced.filter(({ segment }) => without.has(segment)).map(({ name, number }) => `${name} ${number}`),
    )
    const copied = old
      .map((entry) => ({
        entry,
        chosen: liveRowGroups(entry).filter((number) => !gone.has(`${entry.name} ${number}`)),
      }))
      .filter(({ chosen }) => chosen.length > 0)
    const written: NewPart[] = []
    try {
      if (copied.length > 0) written.push(await kept.files.merge(copied, this.nextFile++, signal))
      for await (const segment of by) written.push(await kept.files.write(segment, this.nextFile++))
      signal?.throwIfAborted()
    } catch (error) {
      const { files, folder } = this.#options
      for (const { name } of written) files.remove(join(backendFolder(folder, backend), name))
      throw error
    }
    const add = written.map((part) => this.entryOf(part))
    // The last one has all that came to the dictionaries meanwhile.
    const last = written.at(-1)
    const dictionaries = last?.dictionaries
    await this.#options.manifest.commit({
      nextFile: this.nextFile,
      tables: [{ backend, table: table.definition.name, remove: [...names], add, dictionaries, ...also }],
    })
    last?.named()
    const ids = replaced.map(({ segment }) => segment.id).sort((a, b) => a - b)
    const opened = add.flatMap((entry) =>
      this.open(kept, entry, () => present(ids.shift(), 'fewer row groups than before')),
    )
    table.segments.replace(new Set(replaced.map(({ segment }) => segment)), opened)
    for (const { segment } of replaced) kept.rowGroups.delete(segment)
    this.leave(backend, [...names])
    this.changed()
  }

  /** Files of a backend that no manifest names any more. */
  leave(backend: string, names: readonly string[]): void {
    const folder = backendFolder(this.#options.folder, backend)
    for (const name of names) this.#leaving.push({ path: join(folder, name), mark: undefined })
  }

  /** Removes the files that no read in work can see any more. */
  removeLeft(): void {
    const { readers, onDue } = this.#options
    if (this.#leaving.some(({ mark }) => mark === undefined)) {
      const mark = readers.mark()
      for (const each of this.#leaving) each.mark ??= mark
    }
    this.#remove(({ mark }) => mark !== undefined && readers.haveEnded(mark))
    clearTimeout(this.#timer)
    if (this.#leaving.length > 0) this.#timer = setTimeout(onDue, POLL_MS).unref()
  }

  /** Removes all that left: nobody reads here any more. */
  close(): void {
    clearTimeout(this.#timer)
    this.#remove(() => true)
  }

  #remove(mayLeave: (left: { readonly mark: number | undefined }) => boolean): void {
    const { files, pool, readers } = this.#options
    const removed: string[] = []
    try {
      for (let [first] = this.#leaving; first !== undefined && mayLeave(first); [first] = this.#leaving) {
        this.#leaving.shift()
        pool.close(first.path)
        files.remove(first.path)
        removed.push(first.path)
      }
    } finally {
      if (removed.length > 0) readers.removed(removed)
    }
  }
}
