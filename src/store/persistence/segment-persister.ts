import { runCooperatively } from '../../base/index.ts'
import { makeFolder, type Files, type Manifest, type TableEdit } from '../durable/index.ts'
import type { Segment } from '../memory/index.ts'
import type { FolderEdits } from './folder-edits.ts'
import type { PersistedTable } from './persisted-table.ts'
import { backendFolder } from './folders.ts'
import { endSequence, type RowProgress } from './row-progress.ts'

export interface SegmentPersisterOptions {
  readonly files: Files
  readonly folder: string
  readonly manifest: Pick<Manifest, 'commit'>
  readonly tables: ReadonlyMap<string, PersistedTable>
  readonly edits: FolderEdits
  readonly progress: RowProgress
  /** Called after each segment that the manifest names. */
  readonly onNamed: () => void
}

/**
 * Writes sealed segments to files, names these in the manifest, and replaces the segments in memory with their stored
 * form.
 */
export class SegmentPersister {
  readonly #options: SegmentPersisterOptions
  #next = Promise.withResolvers<void>()
  #isStopped = false

  constructor(options: SegmentPersisterOptions) {
    this.#options = options
  }

  /** Resolves when the next segment has its file. */
  get nextNamed(): Promise<void> {
    return this.#next.promise
  }

  /** Stops writing segments. */
  stop(): void {
    this.#isStopped = true
  }

  /** Requests the files of the next segments from other threads while one is written. */
  packAhead(): void {
    const { progress, tables } = this.#options
    if (progress.isReplaying) return
    for (const { files, waiting } of tables.values())
      for (const segment of waiting) if (!files.packAhead(segment)) return
  }

  /** Writes all segments that are ready. */
  async persist(): Promise<void> {
    const { progress, tables } = this.#options
    for (const persisted of tables.values()) {
      // Seals tails that filled up during a replay.
      await runCooperatively(persisted.table.sealer.sealFull())
      for (const segment of progress.ready(persisted)) {
        if (this.#isStopped) return
        await this.#persistOne(persisted, segment)
      }
    }
  }

  async #persistOne(persisted: PersistedTable, segment: Segment): Promise<void> {
    const { files, folder, manifest, edits, progress, onNamed } = this.#options
    const { backend, table } = persisted
    makeFolder(files, backendFolder(folder, backend))
    this.packAhead()
    const written = await persisted.files.write(segment, edits.nextFile++)
    const entry = edits.entryOf(written)
    const tableEdit: TableEdit = {
      backend,
      table: table.definition.name,
      covered: [[segment.epoch, endSequence(segment)]],
      add: [entry],
      dictionaries: written.dictionaries,
    }
    const batches = progress.naming(persisted, segment)
    try {
      await manifest.commit({ nextFile: edits.nextFile, tables: [tableEdit], ...batches })
    } catch (error) {
      progress.notNamed(persisted, segment)
      throw error
    }
    written.named()
    progress.named(batches)
    const opened = edits.open(persisted, entry, () => segment.id)
    table.segments.replace(new Set([segment]), opened)
    this.#next.resolve()
    this.#next = Promise.withResolvers<void>()
    onNamed()
  }
}
