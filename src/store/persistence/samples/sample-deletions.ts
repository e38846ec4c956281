import { runCooperatively, present } from '../../../base/index.ts'
import { tableKey, type BatchLogs, type Manifest, type PartEntry } from '../../durable/index.ts'
import { contentWithout, findChosen, type SamplesToWrite } from '../../sample-files/index.ts'
import { FrozenSamples, type SampleChoice } from '../../samples/index.ts'
import { refusal } from '../deletions.ts'
import type { FolderEdits } from '../folder-edits.ts'
import {
  SAMPLES_TABLE,
  samplesEdit,
  samplesIn,
  type PersistedMetrics,
  type NamedSamples,
  type ReadableFile,
} from './named-samples.ts'

/** The operations on samples in columns that deletions need. */
export interface FreezableColumns {
  freeze(): number
  frozen(): readonly FrozenSamples[]
  deleted(): void
}

export interface SampleDeletionsOptions {
  readonly manifest: Pick<Manifest, 'state' | 'commit'>
  readonly log: Pick<BatchLogs, 'extentOf' | 'leave'>
  readonly metrics: readonly PersistedMetrics[]
  readonly edits: FolderEdits
  readonly named: NamedSamples
  readonly columns: FreezableColumns
}

/** A requested deletion of samples, with the promise callbacks of its caller. */
interface SampleDeletion {
  readonly metrics: PersistedMetrics
  readonly choice: SampleChoice
  readonly resolve: (samples: number) => void
  readonly reject: (error: unknown) => void
  /**
   * Set when the deletion begins: the last log record whose samples it covers, and the number of samples it has deleted
   * that were only in memory.
   */
  begun: { readonly toId: number; readonly loaded: number } | undefined
}

/** Deletes samples from the files of a folder, one deletion at a time. */
export class SampleDeletions {
  readonly #options: SampleDeletionsOptions
  readonly #waiting: SampleDeletion[] = []
  #mayHaveRemains = true

  constructor(options: SampleDeletionsOptions) {
    this.#options = options
  }

  /**
   * Deletes samples and exemplars permanently, including those of every batch acknowledged before the call. Resolves
   * with the number of samples once none of them is in the log or in a file. If it rejects, no file has changed, since
   * a single edit replaces all files.
   */
  add(backend: string, choice: SampleChoice): Promise<number> {
    const metrics = present(this.#options.metrics.find((each) => each.backend === backend))
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    this.#waiting.push({ metrics, choice, resolve, reject, begun: undefined })
    return promise
  }

  /** Rejects all waiting deletions. */
  refuse(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(refusal(error))
  }

  /**
   * Begins the waiting deletions. Freezes the columns, so that all samples up to now get into files. Must be called
   * between two batches.
   */
  begin(): void {
    const { columns } = this.#options
    for (const deletion of this.#waiting) {
      if (deletion.begun !== undefined) continue
      const { choice, metrics } = deletion
      const { samples } = metrics
      const toId = columns.freeze()
      const written = new Set(columns.frozen())
      let loaded = 0
      for (const source of samples.sources.all)
        if (source instanceof FrozenSamples && !written.has(source))
          loaded += samples.sources.removeFromFrozen(source, choice)
      samples.removeExemplars(choice)
      deletion.begun = { toId, loaded }
    }
  }

  /** Runs the deletions that have begun and whose samples are all in files. */
  async run(): Promise<void> {
    for (let [first] = this.#waiting; first?.begun !== undefined; [first] = this.#waiting) {
      const { metrics, choice, begun, resolve, reject } = first
      if (this.#options.manifest.state.samplesTo < begun.toId) return
      this.#waiting.shift()
      try {
        resolve(begun.loaded + (await this.#delete(metrics, choice, begun.toId)))
      } catch (error) {
        reject(refusal(error))
      }
    }
  }

  async #delete(metrics: PersistedMetrics, choice: SampleChoice, toId: number): Promise<number> {
    const { named, columns, manifest } = this.#options
    const { samples } = metrics
    samples.sources.checkReadable(choice.startMs, choice.endMs)
    // Files that a repair set aside are not searched, so they must be forgotten: restoring them would bring back
    // deleted samples.
    const { aside = [] } = manifest.state.tables.get(tableKey(metrics.backend, SAMPLES_TABLE)) ?? {}
    if (aside.length > 0) await manifest.commit({ tables: [samplesEdit(metrics, { forgetAside: true })] })
    const files = named.readable(metrics).filter(({ entry }) => samplesIn(entry).endSequence <= toId)
    const { count, changes } = await runCooperatively(
      findChosen(
        files.map(({ source }) => source),
        choice,
      ),
    )
    const changed = files.flatMap((file) => {
      const change = changes.get(file.source)
      return change === undefined ? [] : [{ file, content: contentWithout(file.source, choice, change) }]
    })
    if (changed.length > 0) {
      await this.#replaceAll(metrics, changed)
      // Reset hints in newer columns may refer to deleted samples. These columns are written to a file before a replay
      // could read the hints.
      for (const source of columns.frozen()) for (const each of source.columns) each?.forgetHintBehind(choice.endMs)
      for (const series of samples.series.find(choice.matchers)) series.forgetHintBehind(choice.endMs)
      columns.deleted()
    }
    await this.#removeRemains(metrics)
    return count
  }

  /** Rewrites files and replaces all of them with one edit. A file that would be empty is left out. */
  async #replaceAll(
    metrics: PersistedMetrics,
    changed: readonly { readonly file: ReadableFile; readonly content: SamplesToWrite }[],
  ): Promise<void> {
    const { manifest, edits, named } = this.#options
    const remove = changed.map(({ file }) => file.entry.name)
    const by: (readonly [readonly ReadableFile[], PartEntry | undefined])[] = []
    const added = (): readonly PartEntry[] => by.flatMap(([, entry]) => entry ?? [])
    try {
      for (const { file, content } of changed) {
        const { firstSequence, endSequence } = samplesIn(file.entry)
        const entry = await named.write(metrics, content, { firstSequence, endSequence })
        const isEmpty = samplesIn(entry).rowCount + content.descriptions.length + content.exemplars.length === 0
        if (isEmpty) named.removeUnnamed(metrics, entry)
        by.push([[file], isEmpty ? undefined : entry])
      }
      const edit = samplesEdit(metrics, { add: added(), remove, hasRemains: true })
      await manifest.commit({ nextFile: edits.nextFile, tables: [edit] })
    } catch (error) {
      for (const entry of added()) named.removeUnnamed(metrics, entry)
      throw error
    }
    named.replaced(metrics, by)
  }

  /** Removes from the log the batches whose samples are in files, since some of these samples were deleted. */
  async #removeRemains(metrics: PersistedMetrics): Promise<void> {
    const { log, manifest } = this.#options
    const { samplesTo, tables } = manifest.state
    if (tables.get(tableKey(metrics.backend, SAMPLES_TABLE))?.hasRemains !== true) return
    if (samplesTo > log.extentOf('samples').startId) await log.leave(samplesTo, 'samples')
    await manifest.commit({ tables: [samplesEdit(metrics, { hasRemains: false })] })
  }

  /** Completes the removal of batches that an interrupted deletion left in the log. */
  async removeOldRemains(): Promise<void> {
    if (!this.#mayHaveRemains) return
    for (const metrics of this.#options.metrics) await this.#removeRemains(metrics)
    this.#mayHaveRemains = false
  }
}
