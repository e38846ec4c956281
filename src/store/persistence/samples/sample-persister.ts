import { HOUR_NS, SluiceError } from '../../../base/index.ts'
import { compareLabels } from '../../../data/index.ts'
import { type BatchLogs, type PartEntry } from '../../durable/index.ts'
import type { SeriesToWrite } from '../../sample-files/index.ts'
import {
  FrozenSamples,
  MAX_EXEMPLARS,
  isGone,
  type MetricDescription,
  type SampleChoice,
  type SeriesExemplars,
} from '../../samples/index.ts'
import { AGE_PARTS } from '../idle-tail-sealer.ts'
import type { Turnover } from '../figures.ts'
import { BackgroundThrottle } from '../merging/background-throttle.ts'
import { mergeableSamples, mergedSamples } from './merge-samples.ts'
import {
  NamedSamples,
  SAMPLES_TABLE,
  samplesEdit,
  samplesIn,
  type PersistedMetrics,
  type NamedSamplesOptions,
  type ReadableFile,
} from './named-samples.ts'
import { overdue, type Retention } from '../retention.ts'
import { SampleDeletions } from './sample-deletions.ts'

export interface SamplePersisterOptions extends NamedSamplesOptions {
  readonly log: Pick<BatchLogs, 'extentOf' | 'leave'>
  readonly metrics: readonly PersistedMetrics[]
  /** If false, batches stay in the log and no files are written. */
  readonly keepsSegments: boolean
  readonly retention: Retention | undefined
  /** Receives the numbers of expired and merged files. */
  readonly turnover: Turnover
  /** Size of the sample log above which it is shortened, bytes. */
  readonly logBytes: number
}

/** Number of samples in columns at which they are written to files, whatever the size of the log. */
const COLUMNS_SAMPLES = 4_000_000
/** Minimum number of samples in columns for which closing writes a file. Fewer samples are replayed quickly. */
const CLOSING_SAMPLES = 100_000
/** Maximum time that samples stay in columns without a file, nanoseconds. */
const COLUMNS_NS = 2n * HOUR_NS
/** The frozen columns of one store, to become a file. Columns are frozen between two batches. */
interface Frozen {
  readonly metrics: PersistedMetrics
  readonly source: FrozenSamples
  readonly descriptions: readonly MetricDescription[]
  readonly exemplars: readonly SeriesExemplars[]
}

interface Pending {
  /** The id of the last log record whose samples are in the frozen columns. */
  readonly toId: number
  readonly frozen: readonly Frozen[]
}

/**
 * Writes the samples of a data folder to files. Between two batches the columns are frozen, and then written to one
 * file per backend. The edit that names these files also allows the log to drop the batches up to the freeze. So a file
 * has the samples of consecutive batches, whatever their times. If two files have a sample at the same time, that of
 * the later file is used. Samples replayed at a start come after all files.
 */
export class SamplePersister {
  readonly #options: SamplePersisterOptions
  readonly #named: NamedSamples
  #pending: readonly Pending[] = []
  /** The ids of batches that are not acknowledged yet and may be rolled back. */
  readonly #unacknowledged = new Set<number>()
  /** True until the log has been replayed. */
  #isReading = true
  /** True while a batch is being stored. */
  #isOpen = false
  #isLoading = false
  #lastId: number
  #frozenTo: number
  /**
   * The sum of all stores' versions at the last freeze. `#sinceNs` is the time of the first change after that freeze.
   */
  #changes = 0
  #sinceNs: bigint | undefined
  #isWanted = false
  #mayHaveEmptySeries = false
  readonly #exemplars = new Map<PersistedMetrics, number>()
  readonly #pace = new BackgroundThrottle()
  readonly #deletions: SampleDeletions

  constructor(options: SamplePersisterOptions) {
    this.#options = options
    const { state } = options.manifest
    this.#lastId = state.samplesTo
    this.#frozenTo = state.samplesTo
    this.#named = new NamedSamples(options)
    const { manifest, log, metrics } = options
    this.#deletions = new SampleDeletions({
      manifest,
      log,
      metrics,
      edits: options.edits,
      named: this.#named,
      columns: this,
    })
    for (const each of metrics) this.#restore(each)
    this.#changes = this.#allChanges
  }

  #restore(metrics: PersistedMetrics): void {
    const { samples, metricCatalog } = metrics
    const named = this.#named.restore(metrics)
    let exemplars = 0
    const recent: SeriesExemplars[] = []
    for (const { source } of named.toReversed()) {
      if (source === undefined || exemplars >= MAX_EXEMPLARS) continue
      exemplars += source.file.exemplarCount
      this.#whileReadable(() => recent.unshift(...source.file.exemplars()))
    }
    for (const { source } of named) if (source !== undefined) samples.sources.replace([], source)
    for (const { source } of named)
      this.#whileReadable(() => source !== undefined && metricCatalog.add(source.file.descriptions()))
    for (const { labels, exemplars: own } of recent) for (const each of own) samples.writer.addExemplar(labels, each)
    metricCatalog.takeNew()
    this.#exemplars.set(metrics, samples.exemplars.added)
  }

  #whileReadable(read: () => unknown): void {
    try {
      read()
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      this.#options.onFailure(error)
    }
  }

  get #allChanges(): number {
    return this.#options.metrics.reduce((total, { samples }) => total + samples.version, 0)
  }

  begin(): void {
    this.#isOpen = true
  }

  end(id: number): void {
    this.#isOpen = false
    this.#lastId = Math.max(this.#lastId, id)
    this.#unacknowledged.add(id)
    if (this.#isReading || !this.#options.keepsSegments) return
    this.#sinceNs ??= this.#options.nowNs()
    // Freezes now, since no batch is being stored. By the time this batch is acknowledged, the next one may have begun.
    if (this.#isDue()) this.freeze()
    this.#beginDeletions()
  }

  /** Begins the waiting deletions, if no batch is being stored. */
  #beginDeletions(): void {
    if (!this.#isOpen && !this.#isLoading && !this.#isReading) this.#deletions.begin()
  }

  /** Deletes samples; `TablePersister.deleteSamples` describes the result. */
  delete(backend: string, choice: SampleChoice): Promise<number> {
    return this.#deletions.add(backend, choice)
  }

  /** Rejects all waiting deletions. */
  refuse(error: unknown): void {
    this.#deletions.refuse(error)
  }

  /** Ends the replay of the log. */
  readBack(): void {
    this.#isReading = false
    if (this.#options.keepsSegments && this.#lastId > this.#frozenTo) this.#sinceNs = this.#options.nowNs()
  }

  acknowledge(id: number): void {
    this.#unacknowledged.delete(id)
  }

  /**
   * Begins a period in which new samples are not logged and stay in memory only. Must be called between two batches.
   */
  beginLoading(): void {
    this.freeze()
    this.#isLoading = true
  }

  endLoading(): void {
    this.#isLoading = false
    if (!this.#options.keepsSegments) return
    for (const { samples, metricCatalog } of this.#options.metrics) {
      // A fraction, so that the order is after all earlier batches and before the next one.
      samples.sources.freeze(this.#lastId + 0.5)
      metricCatalog.takeNew()
    }
    for (const metrics of this.#options.metrics) this.#exemplars.set(metrics, metrics.samples.exemplars.added)
    this.#changes = this.#allChanges
  }

  /**
   * Requests that the columns be written if at least `leastSamples` samples were added. Called when memory is scarce or
   * the folder is closed.
   */
  want(leastSamples = 1): void {
    this.#isWanted ||= this.#allChanges - this.#changes >= leastSamples
  }

  wantForClosing(): void {
    this.want(CLOSING_SAMPLES)
  }

  #isDue(): boolean {
    const { log, logBytes, retention, nowNs } = this.#options
    if (this.#lastId <= this.#frozenTo || this.#isLoading) return false
    if (this.#isWanted || this.#allChanges - this.#changes >= COLUMNS_SAMPLES) return true
    // No need to freeze more columns: writing the pending ones shortens the log.
    if (this.#pending.length > 0) return false
    if (log.extentOf('samples').replayBytes >= logBytes) return true
    const age = retention?.ageNs.get(SAMPLES_TABLE)
    const limitNs = age === undefined || age / AGE_PARTS > COLUMNS_NS ? COLUMNS_NS : age / AGE_PARTS
    return this.#sinceNs !== undefined && nowNs() - this.#sinceNs >= limitNs
  }

  /**
   * Freezes the columns, which are then written to files. Returns the id of the last log record whose samples are
   * frozen. Must be called between two batches.
   */
  freeze(): number {
    if (this.#lastId <= this.#frozenTo || !this.#options.keepsSegments) return this.#frozenTo
    const frozen = this.#options.metrics.map((metrics): Frozen => {
      const { samples, metricCatalog } = metrics
      const added = this.#exemplars.get(metrics) ?? 0
      const exemplars: SeriesExemplars[] = []
      for (const { slot, exemplar } of samples.exemplars.since(added)) {
        const series = samples.series.all[slot]
        if (series !== undefined && !isGone(series)) exemplars.push({ labels: series.labels, exemplars: [exemplar] })
      }
      this.#exemplars.set(metrics, samples.exemplars.added)
      return {
        metrics,
        source: samples.sources.freeze(this.#lastId),
        descriptions: metricCatalog.takeNew(),
        exemplars,
      }
    })
    this.#pending = [...this.#pending, { toId: this.#lastId, frozen }]
    this.#frozenTo = this.#lastId
    this.#changes = this.#allChanges
    this.#sinceNs = undefined
    this.#isWanted = false
    return this.#frozenTo
  }

  /** Returns the frozen columns that are not in files yet. */
  frozen(): readonly FrozenSamples[] {
    return this.#pending.flatMap(({ frozen }) => frozen.map(({ source }) => source))
  }

  /**
   * Records that samples were deleted from files: series may be empty now, and columns whose hints refer to deleted
   * samples must be written.
   */
  deleted(): void {
    this.#mayHaveEmptySeries = true
    this.want()
  }

  /** Writes frozen columns, runs deletions, shortens the log, expires and merges files. Calls must not overlap. */
  async flush(isClosing: boolean): Promise<void> {
    try {
      await this.#flush(isClosing)
    } catch (error) {
      this.refuse(error)
      throw error
    }
  }

  async #flush(isClosing: boolean): Promise<void> {
    if (!this.#isOpen && this.#isDue()) this.freeze()
    this.#beginDeletions()
    for (let [first] = this.#pending; first !== undefined; [first] = this.#pending) {
      // Batches that may be rolled back must not get into files. The next acknowledgement calls this method again.
      for (const id of this.#unacknowledged) if (id <= first.toId) return
      await this.#write(first)
    }
    await this.#deletions.removeOldRemains()
    await this.#deletions.run()
    await this.#shortenLog()
    await this.#dropOverdue()
    this.#forgetEmptySeries()
    if (!isClosing) await this.#mergeSome()
  }

  async #write(pending: Pending): Promise<void> {
    const { manifest, edits } = this.#options
    const { samplesTo } = manifest.state
    const written: { readonly frozen: Frozen; readonly entry: PartEntry }[] = []
    for (const each of pending.frozen) {
      const { metrics, source, descriptions, exemplars } = each
      if (source.columns.every((columns) => columns === undefined) && descriptions.length + exemplars.length === 0)
        continue
      const series = seriesOf(source)
      const range = { firstSequence: samplesTo, endSequence: pending.toId }
      const entry = await this.#named.write(metrics, { series, descriptions, exemplars }, range)
      written.push({ frozen: each, entry })
    }
    await manifest.commit({
      samplesTo: pending.toId,
      nextFile: edits.nextFile,
      tables: written.map(({ frozen, entry }) => samplesEdit(frozen.metrics, { add: [entry] })),
    })
    this.#pending = this.#pending.filter((each) => each !== pending)
    for (const { metrics, source } of pending.frozen) {
      const found = written.find(({ frozen }) => frozen.metrics === metrics)
      this.#named.putInPlace(metrics, [source], found?.entry)
    }
    edits.changed()
  }

  async #shortenLog(): Promise<void> {
    const { log, manifest, logBytes } = this.#options
    const { startId, lastId, replayBytes } = log.extentOf('samples')
    const { samplesTo } = manifest.state
    if (samplesTo > startId && replayBytes >= logBytes && samplesTo - startId >= (lastId - startId) / 2)
      await log.leave(samplesTo, 'samples')
  }

  async #dropOverdue(): Promise<void> {
    const { retention, manifest, nowNs } = this.#options
    if (retention === undefined) return
    const gone = new Set(overdue(manifest.state, retention, nowNs()).map(({ name }) => name))
    const own = this.#named.all.filter(({ entry }) => gone.has(entry.name))
    if (own.length === 0) return
    await manifest.commit({
      tables: own.map(({ metrics, entry }) => samplesEdit(metrics, { remove: [entry.name] })),
    })
    this.#named.gone(own)
    this.#options.turnover.expiredSegments += own.length
    this.#mayHaveEmptySeries = true
  }

  /** Removes empty series. Does nothing while a batch is being stored, because new series are empty at first. */
  #forgetEmptySeries(): void {
    if (!this.#mayHaveEmptySeries || this.#isOpen || this.#isLoading) return
    this.#mayHaveEmptySeries = false
    for (const { samples } of this.#options.metrics) samples.forgetEmptySeries()
  }

  async #mergeSome(): Promise<void> {
    if (!this.#pace.isTime) return
    for (const metrics of this.#options.metrics) {
      const some = mergeableSamples(this.#named.of(metrics))
      if (some.length === 0) continue
      await this.#pace.run(() => this.#merge(metrics, some))
      return
    }
  }

  async #merge(metrics: PersistedMetrics, some: readonly ReadableFile[]): Promise<void> {
    const { manifest, edits } = this.#options
    const range = {
      firstSequence: Math.min(...some.map(({ entry }) => samplesIn(entry).firstSequence)),
      endSequence: Math.max(...some.map(({ entry }) => samplesIn(entry).endSequence)),
    }
    const content = mergedSamples(some.map(({ source }) => source))
    const entry = await this.#named.write(metrics, content, range)
    const remove = some.map((each) => each.entry.name)
    await manifest.commit({ nextFile: edits.nextFile, tables: [samplesEdit(metrics, { add: [entry], remove })] })
    this.#named.replaced(metrics, [[some, entry]])
    this.#options.turnover.mergedSegments += some.length
  }
}

function* seriesOf({ columns }: FrozenSamples): Generator<SeriesToWrite> {
  const all = columns.filter((each) => each !== undefined).sort((a, b) => compareLabels(a.labels, b.labels))
  for (const each of all) yield { labels: each.labels, samples: each.slice(-Infinity, Infinity) }
}
