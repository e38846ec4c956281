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
   * The threads of this process that may read replaced files. Other processes that read the folder hold its files open.
   */
  readonly readers: FileReaders
  /** Called by a timer when replaced files may be removable. The timer does not keep the process running. */
  readonly onDue: () => void
  /** Called whenever the content of tables has changed other than by new rows. */
  readonly onChange?: (() => void) | undefined
}

/** Describes how some parts are replaced. */
export interface Replacement {
  /** Row groups to leave out of the copy. */
  readonly without?: ReadonlySet<Segment>
  /** Segments to write, each as a part of its own. */
  readonly by?: Iterable<Segment> | AsyncIterable<Segment>
  /**
   * Cancels the replacement as long as the edit has not begun. `replace` then rejects with the signal's reason, and
   * nothing has changed.
   */
  readonly signal?: AbortSignal
}

/** Changes the files of a folder: numbers new files, replaces parts, and removes old files once no read uses them. */
export class FolderEdits {
  readonly #options: FolderEditsOptions
  /** The number in the name of the next new file. */
  nextFile: number
  /**
   * Files to remove once no read uses them, oldest first. `mark` is the version from which reads cannot see the file;
   * `undefined` until the version was incremented.
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

  /** Returns the parts of a table according to the manifest. */
  parts({ key }: PersistedTable): readonly PartEntry[] {
    return this.#options.manifest.state.tables.get(key)?.parts ?? []
  }

  /**
   * Opens a part that an edit has just named. The caller must add the returned row groups to the table, in place of
   * others.
   */
  open(persisted: PersistedTable, entry: PartEntry, nextId: () => number): readonly Segment[] {
    const opened = persisted.files.openPart(entry, nextId)
    for (const each of opened) persisted.rowGroups.set(each.segment, each)
    return opened.map(({ segment }) => segment)
  }

  /**
   * Replaces parts with one manifest edit. One new part gets the row groups of the old parts, except those in
   * `without`; each segment of `by` becomes another part. A crash before the edit leaves the new files, a crash after
   * the edit the old ones, without a name in the manifest. The next start removes them.
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
    // The dictionary state of the last part covers all entries added so far.
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

  /** Schedules files for removal. The manifest must no longer name them. */
  leave(backend: string, names: readonly string[]): void {
    const folder = backendFolder(this.#options.folder, backend)
    for (const name of names) this.#leaving.push({ path: join(folder, name), mark: undefined })
  }

  /** Removes those scheduled files that no active read can see. */
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

  /** Removes all scheduled files. Called on closing, when there are no reads. */
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
