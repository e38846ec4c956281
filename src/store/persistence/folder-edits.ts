import { join } from 'node:path'
import { POLL_MS, present } from '../../base/index.ts'
import { liveRowGroups, type Files, type Manifest, type PartEntry, type TableEdit } from '../durable/index.ts'
import type { Segment } from '../memory/index.ts'
import type { PooledFiles } from '../segments/index.ts'
import { backendFolder } from './folders.ts'
import type { FileReaders } from './file-readers.ts'
import type { PersistedTable } from './persisted-table.ts'
import type { NewPart } from './table-files.ts'

export interface FolderEditsOptions {
  readonly files: Files
  readonly folder: string
  readonly manifest: Pick<Manifest, 'state' | 'commit'>
  readonly pool: PooledFiles
  readonly nowNs: () => bigint
  /**
   * The threads of this process that may read files after they were replaced. Other processes keep their files open.
   */
  readonly readers: FileReaders
  /** Called when replaced files may be deletable by now. Its timer does not keep the process running. */
  readonly onDue: () => void
  /** Called whenever tables have changed without new rows. */
  readonly onChange?: (() => void) | undefined
}

/** The replacement of some parts. */
export interface Replacement {
  /** Row groups that are not copied. */
  readonly without?: ReadonlySet<Segment>
  /** Segments that each become a part. */
  readonly by?: Iterable<Segment> | AsyncIterable<Segment>
  /** Cancels before the edit. Nothing has changed then, and `replace` rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Changes the files of a folder: numbers new files, and removes old ones once no read uses them. */
export class FolderEdits {
  readonly #options: FolderEditsOptions
  /** The number of the next new file. */
  nextFile: number
  /**
   * Files that are removed once no read uses them, oldest first. The mark is `undefined` until the version has been
   * incremented for them.
   */
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

  /** Returns the parts of a table that the manifest names. */
  parts({ key }: PersistedTable): readonly PartEntry[] {
    return this.#options.manifest.state.tables.get(key)?.parts ?? []
  }

  /** Opens a part that was just named. The returned row groups must replace others in the table. */
  open(persisted: PersistedTable, entry: PartEntry, nextId: () => number): readonly Segment[] {
    const opened = persisted.files.openPart(entry, nextId)
    for (const each of opened) persisted.rowGroups.set(each.segment, each)
    return opened.map(({ segment }) => segment)
  }

  /**
   * Replaces parts with one manifest edit. One new part has all row groups of the old ones except those in `without`;
   * each segment of `by` becomes another part. A crash before the edit leaves the new files unnamed, a crash after it
   * leaves the old ones. The next start removes both.
   */
  async replace(
    persisted: PersistedTable,
    old: readonly PartEntry[],
    { without = new Set(), by = [], signal }: Replacement,
    also: Pick<TableEdit, 'hasRemains'> = {},
  ): Promise<void> {
    const { backend, table } = persisted
    const names = new Set(old.map(({ name }) => name))
    const replaced = [...persisted.rowGroups.values()].filter(({ name }) => names.has(name))
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
      if (copied.length > 0) written.push(await persisted.files.merge(copied, this.nextFile++, signal))
      for await (const segment of by) written.push(await persisted.files.write(segment, this.nextFile++))
      signal?.throwIfAborted()
    } catch (error) {
      const { files, folder } = this.#options
      for (const { name } of written) files.remove(join(backendFolder(folder, backend), name))
      throw error
    }
    const add = written.map((part) => this.entryOf(part))
    // The last part covers everything that was added to the dictionaries meanwhile.
    const last = written.at(-1)
    const dictionaries = last?.dictionaries
    await this.#options.manifest.commit({
      nextFile: this.nextFile,
      tables: [{ backend, table: table.definition.name, remove: [...names], add, dictionaries, ...also }],
    })
    last?.named()
    const ids = replaced.map(({ segment }) => segment.id).sort((a, b) => a - b)
    const opened = add.flatMap((entry) =>
      this.open(persisted, entry, () => present(ids.shift(), 'fewer row groups than before')),
    )
    table.segments.replace(new Set(replaced.map(({ segment }) => segment)), opened)
    for (const { segment } of replaced) persisted.rowGroups.delete(segment)
    this.leave(backend, [...names])
    this.changed()
  }

  /** Schedules files that the manifest no longer names for removal. */
  leave(backend: string, names: readonly string[]): void {
    const folder = backendFolder(this.#options.folder, backend)
    for (const name of names) this.#leaving.push({ path: join(folder, name), mark: undefined })
  }

  /** Removes the scheduled files that no active read can see any more. */
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

  /** Removes all scheduled files, since nothing reads them after closing. */
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
