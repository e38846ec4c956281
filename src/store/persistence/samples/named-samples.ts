import { join } from 'node:path'
import { MS_NS, SluiceError, runCooperatively, present } from '../../../base/index.ts'
import {
  makeFolder,
  tableKey,
  type Files,
  type Manifest,
  type PartEntry,
  type RowGroupEntry,
  type TableEdit,
} from '../../durable/index.ts'
import { epochStartNs, epochTimeOf } from '../../memory/index.ts'
import { StoredSource, writeSamples, type SamplesSummary, type SamplesToWrite } from '../../sample-files/index.ts'
import type { MetricCatalog, SampleStore, SamplesSource, StoredSamples } from '../../samples/index.ts'
import type { BlockCache, PooledFiles } from '../../segments/index.ts'
import type { FolderEdits } from '../folder-edits.ts'
import { backendFolder, samplesFile } from '../folders.ts'
import { writeNewFile } from '../new-file.ts'

/** The name of the manifest table whose parts are sample files. */
export const SAMPLES_TABLE = 'samples'

/** The metric store of a backend, and its metric descriptions. */
export interface PersistedMetrics {
  readonly backend: string
  readonly samples: SampleStore
  readonly metricCatalog: MetricCatalog
}

/** Returns the row group entry that describes a sample file in the manifest. */
export function samplesIn({ rowGroups }: PartEntry): RowGroupEntry {
  return present(rowGroups[0], 'the samples of a file')
}

/** A sample file that the manifest names. */
export interface NamedFile {
  readonly metrics: PersistedMetrics
  readonly entry: PartEntry
  /** The opened file; `undefined` when it cannot be read. */
  readonly source: StoredSource | undefined
}

export type ReadableFile = NamedFile & { readonly source: StoredSource }

export interface NamedSamplesOptions {
  readonly files: Files
  readonly folder: string
  readonly manifest: Pick<Manifest, 'state' | 'commit'>
  readonly pool: PooledFiles
  readonly cache: BlockCache
  readonly edits: FolderEdits
  readonly nowNs: () => bigint
  /** Called with the error of each file that cannot be read. */
  readonly onFailure: (error: unknown) => void
}

/** The sample files of the manifest, and the sources through which stores read them. */
export class NamedSamples {
  readonly #options: NamedSamplesOptions
  #all: readonly NamedFile[] = []

  constructor(options: NamedSamplesOptions) {
    this.#options = options
  }

  get all(): readonly NamedFile[] {
    return this.#all
  }

  /** Returns all files of a backend, in order. */
  of(metrics: PersistedMetrics): readonly NamedFile[] {
    const own = this.#all.filter((named) => named.metrics === metrics)
    return own.sort((a, b) => samplesIn(a.entry).endSequence - samplesIn(b.entry).endSequence)
  }

  /** Returns the readable files of a backend, in order. */
  readable(metrics: PersistedMetrics): readonly ReadableFile[] {
    return this.of(metrics).flatMap((named) => (named.source === undefined ? [] : [{ ...named, source: named.source }]))
  }

  /** Opens the files of a backend according to the manifest. */
  restore(metrics: PersistedMetrics): readonly NamedFile[] {
    const { parts = [] } = this.#options.manifest.state.tables.get(tableKey(metrics.backend, SAMPLES_TABLE)) ?? {}
    this.#all = [...this.#all, ...parts.map((entry) => this.#open(metrics, entry))]
    return this.of(metrics)
  }

  #storedOf({ backend }: PersistedMetrics, entry: PartEntry): StoredSamples {
    const { name, bytes } = entry
    const { epoch, endSequence, firstDelta, lastDelta } = samplesIn(entry)
    const startNs = epochStartNs(epoch)
    const path = join(backendFolder(this.#options.folder, backend), name)
    const ms = (delta: number): number => Number((startNs + BigInt(delta)) / MS_NS)
    return { name, path, bytes, order: endSequence, firstMs: ms(firstDelta), lastMs: ms(lastDelta) }
  }

  /**
   * Opens a file. If it cannot be read, its time range is registered in the store, so that queries of these times fail.
   */
  #open(metrics: PersistedMetrics, entry: PartEntry): NamedFile {
    const { pool, cache, onFailure } = this.#options
    const stored = this.#storedOf(metrics, entry)
    const open = (): StoredSource =>
      new StoredSource(stored, pool.source(stored.path, stored.bytes, stored.name, entry.crc), cache)
    try {
      return { metrics, entry, source: open() }
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      onFailure(error)
      const reopen = (): StoredSource => {
        const source = open()
        this.#all = this.#all.map((each) => (each.entry === entry ? { metrics, entry, source } : each))
        metrics.metricCatalog.add(source.file.descriptions())
        return source
      }
      metrics.samples.sources.addUnreadable({ ...stored, stored, error, open: reopen })
      return { metrics, entry, source: undefined }
    }
  }

  /** Writes a new file, which the manifest does not name yet. Resolves once the file is on the disk. */
  async write(
    { backend }: PersistedMetrics,
    content: SamplesToWrite,
    range: Pick<RowGroupEntry, 'firstSequence' | 'endSequence'>,
  ): Promise<PartEntry> {
    const { files, folder, edits, nowNs } = this.#options
    const path = backendFolder(folder, backend)
    makeFolder(files, path)
    const name = samplesFile(edits.nextFile++)
    const summary = await writeNewFile(files, join(path, name), (write) =>
      runCooperatively(writeSamples(content, write)),
    )
    await files.syncFolderLater(path)
    const createdNs = nowNs()
    const { bytes, crc } = summary
    const rowGroup = { at: 0, bytes, crc, ...range, ...timesOf(summary, createdNs) }
    return { name, createdMs: Number(createdNs / MS_NS), bytes, crc, rowGroups: [rowGroup] }
  }

  /** Removes a new file that no edit has named. */
  removeUnnamed({ backend }: PersistedMetrics, { name }: PartEntry): void {
    const { files, folder } = this.#options
    files.remove(join(backendFolder(folder, backend), name))
  }

  /** Replaces sources of a store by the file that an edit has just named. */
  putInPlace(metrics: PersistedMetrics, old: readonly SamplesSource[], entry: PartEntry | undefined): void {
    const named = entry && this.#open(metrics, entry)
    metrics.samples.sources.replace(old, named?.source)
    if (named !== undefined) this.#all = [...this.#all, named]
  }

  /** Updates the stores after an edit that replaced each group of old files by one file or by none. */
  replaced(
    metrics: PersistedMetrics,
    all: readonly (readonly [old: readonly ReadableFile[], by: PartEntry | undefined])[],
  ): void {
    const { edits } = this.#options
    const gone = new Set<NamedFile['source']>(all.flatMap(([old]) => old.map(({ source }) => source)))
    this.#all = this.#all.filter(({ source }) => source === undefined || !gone.has(source))
    for (const [old, by] of all) {
      const sources = old.map(({ source }) => source)
      this.putInPlace(metrics, sources, by)
    }
    const names = all.flatMap(([old]) => old.map(({ entry }) => entry.name))
    edits.leave(metrics.backend, names)
    edits.changed()
  }

  /** Removes files that the manifest no longer names. */
  gone(files: readonly NamedFile[]): void {
    const { edits } = this.#options
    for (const { metrics, entry, source } of files) {
      metrics.samples.sources.replace(source === undefined ? [] : [source], undefined)
      metrics.samples.sources.removeUnreadable(entry.name)
      edits.leave(metrics.backend, [entry.name])
    }
    const entries = new Set(files.map(({ entry }) => entry))
    this.#all = this.#all.filter(({ entry }) => !entries.has(entry))
    edits.changed()
  }
}

export function samplesEdit(
  { backend }: PersistedMetrics,
  edit: Pick<TableEdit, 'add' | 'remove' | 'hasRemains' | 'forgetAside'>,
): TableEdit {
  return { backend, table: SAMPLES_TABLE, ...edit }
}

/**
 * Returns the row count and the times of a file for its manifest entry. The times of a file without samples are its
 * creation time.
 */
function timesOf(
  { samples, firstMs, lastMs }: SamplesSummary,
  createdNs: bigint,
): Pick<RowGroupEntry, 'rowCount' | 'epoch' | 'firstDelta' | 'lastDelta'> {
  const lastNs = samples === 0 ? createdNs : BigInt(Math.trunc(lastMs)) * MS_NS
  const { epoch, delta } = epochTimeOf(lastNs)
  const firstDelta = delta - Math.ceil(lastMs - firstMs) * 1e6
  return { rowCount: samples, epoch, firstDelta, lastDelta: delta }
}
