import { inTurns, present } from '../../../base/index.ts'
import { tableKey, type BatchLogs, type Manifest, type PartEntry } from '../../durable/index.ts'
import { contentWithout, findChosen, type SamplesToWrite } from '../../sample-files/index.ts'
import { FrozenSamples, type SampleChoice } from '../../samples/index.ts'
import { refusal } from '../deletions.ts'
import type { FolderEdits } from '../folder-edits.ts'
import {
  SAMPLES_TABLE,
  samplesEdit,
  samplesIn,
  type KeptMetrics,
  type NamedSamples,
  type ReadableFile,
} from './named-samples.ts'

/** What is in columns, as far as deletions go. */
export interface FreezableColumns {
  freeze(): number
  frozen(): readonly FrozenSamples[]
  deleted(): void
}

export interface SampleDeletionsOptions {
  readonly manifest: Pick<Manifest, 'state' | 'commit'>
  readonly log: Pick<BatchLogs, 'extentOf' | 'leave'>
  readonly metrics: readonly KeptMetrics[]
  readonly edits: FolderEdits
  readonly named: NamedSamples
  readonly columns: FreezableColumns
}

/** Samples that are to go, and who waits for that. */
interface SampleDeletion {
  readonly metrics: KeptMetrics
  readonly choice: SampleChoice
  readonly resolve: (samples: number) => void
  readonly reject: (error: unknown) => void
  /** The last record of the log whose samples it takes, and how many it took of those that get no file. */
  begun: { readonly toId: number; readonly loaded: number } | undefined
}

/** Deletions of samples from the files of a folder, one after the other. */
export class SampleDeletions {
  readonly #options: SampleDeletionsOptions
  readonly #waiting: SampleDeletion[] = []
  #mayHaveRemains = true

  constructor(options: SampleDeletionsOptions) {
    this.#options = options
  }

  /**
   * Takes samples and exemplars out for ever, those of every batch that was acknowledged before the call among them. Resolves with the
   * number of samples when none of them is in the log or in a file that the manifest names. Rejects where that cannot be done: all of a
   * folder's files lose theirs with one edit, or none does.
   */
  add(backend: string, choice: SampleChoice): Promise<number> {
    const metrics = present(this.#options.metrics.find((each) => each.backend === backend))
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    this.#waiting.push({ metrics, choice, resolve, reject, begun: undefined })
    return promise
  }

  /** Refuses all deletions that wait. */
  refuse(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(refusal(error))
  }

  /** Between batches: all that came is frozen, so that it will be in files. */
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

  /** Runs those whose samples are all in files. */
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

  async #delete(metrics: KeptMetrics, choice: SampleChoice, toId: number): Promise<number> {
    const { named, columns, manifest } = this.#options
    const { samples } = metrics
    samples.sources.checkReadable(choice.startMs, choice.endMs)
    // What was set aside is not looked at, and must not bring back what is deleted.
    const { aside = [] } = manifest.state.tables.get(tableKey(metrics.backend, SAMPLES_TABLE)) ?? {}
    if (aside.length > 0) await manifest.commit({ tables: [samplesEdit(metrics, { forgetAside: true })] })
    const files = named.readable(metrics).filter(({ entry }) => samplesIn(entry).endSequence <= toId)
    const { count, changes } = await inTurns(
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
      // What came meanwhile continues what is gone: it is in a file, too, before the log is read again.
      for (const source of columns.frozen()) for (const each of source.columns) each?.forgetHintBehind(choice.endMs)
      for (const series of samples.series.find(choice.matchers)) series.forgetHintBehind(choice.endMs)
      columns.deleted()
    }
    await this.#removeRemains(metrics)
    return count
  }

  /** Writes files anew and names them with one edit; one that would have nothing is not written. */
  async #replaceAll(
    metrics: KeptMetrics,
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

  /** Takes batches out of the log whose samples were deleted from files. */
  async #removeRemains(metrics: KeptMetrics): Promise<void> {
    const { log, manifest } = this.#options
    const { samplesTo, tables } = manifest.state
    if (tables.get(tableKey(metrics.backend, SAMPLES_TABLE))?.hasRemains !== true) return
    if (samplesTo > log.extentOf('samples').startId) await log.leave(samplesTo, 'samples')
    await manifest.commit({ tables: [samplesEdit(metrics, { hasRemains: false })] })
  }

  /** What a deletion that was interrupted has left. */
  async removeOldRemains(): Promise<void> {
    if (!this.#mayHaveRemains) return
    for (const metrics of this.#options.metrics) await this.#removeRemains(metrics)
    this.#mayHaveRemains = false
  }
}
