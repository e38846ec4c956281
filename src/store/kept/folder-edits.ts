import { join } from 'node:path'
import { present } from '../../base/index.ts'
import type { Files, Manifest, SegmentEntry, TableEdit } from '../durable/index.ts'
import type { MemoryTable, Segment } from '../memory/index.ts'
import type { PooledFiles } from '../segments/index.ts'
import type { Aging } from './aging.ts'
import { backendFolder } from './folders.ts'
import type { FileReaders } from './file-readers.ts'
import type { NewSegment, TableFiles } from './table-files.ts'

/** How often it is looked for whether queries still read files that are not named any more, milliseconds. */
const LEAVING_MS = 1000

/** A table, and which of its segments have files. */
export interface Kept {
  readonly key: string
  readonly backend: string
  readonly table: MemoryTable
  readonly files: TableFiles
  /** Sealed and not written yet, in the order in which they were sealed. */
  waiting: Segment[]
  /** Those that the manifest names, by the segment in the table. */
  readonly entries: Map<Segment, SegmentEntry>
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
  /** Resolves when nothing is made of these segments any more. */
  readonly onLeaving: (names: readonly string[]) => Promise<void>
  /** Told of groups that were taken out of the manifest; their files are left to be removed. */
  readonly onGroupsGone: (kept: Kept, names: readonly string[]) => void
  /** Told whenever tables have changed without new rows. */
  readonly onChange?: (() => void) | undefined
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

  entryOf({ name, summary }: NewSegment): SegmentEntry {
    return { name, ...summary, createdMs: Number(this.#options.nowNs() / 1_000_000n) }
  }

  changed(): void {
    this.#options.onChange?.()
  }

  /**
   * Writes a segment that takes the place of others, which have files. A crash before the edit leaves a file without a name, one
   * behind it files without names: both are removed at the next start.
   */
  async replace(
    kept: Kept,
    old: readonly Segment[],
    by: Segment | undefined,
    also: Pick<TableEdit, 'hasRemains'>,
  ): Promise<void> {
    const { manifest, onLeaving } = this.#options
    const { backend, table } = kept
    const remove = old.map((each) => present(kept.entries.get(each)).name)
    await onLeaving(remove)
    // Those that are written anew are not in their groups any more, and what was deleted is not to be found there.
    const groups = manifest.state.tables.get(kept.key)?.groups ?? []
    const gone = new Set(remove)
    const removeGroups = groups
      .filter(({ segments }) => segments.some((name) => gone.has(name)))
      .map(({ name }) => name)
    const edit: TableEdit = { backend, table: table.definition.name, remove, removeGroups, ...also }
    const written = by && (await kept.files.write(by, this.nextFile++))
    const entry = written && this.entryOf(written)
    await manifest.commit({
      nextFile: this.nextFile,
      tables: [entry === undefined ? edit : { ...edit, add: [entry], dictionaries: written?.dictionaries }],
    })
    written?.named()
    const opened = entry && kept.files.openOne(entry, present(old[0]).id)
    table.replaceSealed(new Set(old), opened === undefined ? [] : [opened])
    for (const each of old) kept.entries.delete(each)
    if (opened !== undefined && entry !== undefined) kept.entries.set(opened, entry)
    this.leave(backend, remove)
    this.#options.onGroupsGone(kept, removeGroups)
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
    if (this.#leaving.length > 0) this.#timer = setTimeout(onDue, LEAVING_MS).unref()
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
