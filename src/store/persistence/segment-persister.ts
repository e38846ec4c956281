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
  /** Called after each edit that names a segment. */
  readonly onNamed: () => void
}

/**
 * Writes sealed segments to files, names the files in the manifest, and replaces the segments in memory by stored ones.
 */
export class SegmentPersister {
  readonly #options: SegmentPersisterOptions
  #next = Promise.withResolvers<void>()
  #isStopped = false

  constructor(options: SegmentPersisterOptions) {
    this.#options = options
  }

  /** Resolves when the next segment has a file that the manifest names. */
  get nextNamed(): Promise<void> {
    return this.#next.promise
  }

  /** Stops writing after the current segment. */
  stop(): void {
    this.#isStopped = true
  }

  /** Requests the encoding of the next segments, to overlap with the writing of one. */
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
      // Seals the tails that a replay has filled.
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
