import { join } from 'node:path'
import { SluiceError, inTurns, present } from '../../base/index.ts'
import { compareLabels, type Labels } from '../../data/index.ts'
import {
  allowSampleFiles,
  makeFolder,
  tableKey,
  type BatchLogs,
  type Files,
  type Manifest,
  type SegmentEntry,
  type TableEdit,
} from '../durable/index.ts'
import { epochStartNs, epochTimeOf } from '../memory/index.ts'
import {
  StoredSource,
  writeSamples,
  type SamplesSummary,
  type SamplesToWrite,
  type SeriesToWrite,
} from '../sample-files/index.ts'
import {
  FrozenSamples,
  isGone,
  mergedSlices,
  type MetricCatalog,
  type MetricDescription,
  type SampleChoice,
  type SampleStore,
  type SamplesPart,
  type SamplesSource,
  type SeriesExemplars,
  type StoredSamples,
} from '../samples/index.ts'
import type { BlockCache, PooledFiles } from '../segments/index.ts'
import { contentWithout, findChosen } from './delete-samples.ts'
import { refusal } from './deletions.ts'
import type { FolderEdits } from './folder-edits.ts'
import { backendFolder, samplesFile } from './folders.ts'
import { MergePace } from './merge-pace.ts'
import { writeNewFile } from './new-file.ts'
import { overdue, type Retention } from './retention.ts'

/** The table of the manifest whose segments are files of samples. */
export const SAMPLES_TABLE = 'samples'

/** The metrics of a backend. */
export interface KeptMetrics {
  readonly backend: string
  readonly samples: SampleStore
  readonly metricCatalog: MetricCatalog
}

export interface KeptSamplesOptions {
  readonly files: Files
  readonly folder: string
  readonly manifest: Pick<Manifest, 'state' | 'commit'>
  readonly log: Pick<BatchLogs, 'extentOf' | 'leave'>
  readonly metrics: readonly KeptMetrics[]
  readonly pool: PooledFiles
  readonly cache: BlockCache
  readonly edits: FolderEdits
  /** False leaves batches to the log. */
  readonly keeps: boolean
  readonly retention: Retention | undefined
  readonly nowNs: () => bigint
  /** Bytes of the log of samples from which it is kept short. */
  readonly logBytes: number
  /** Told of files that cannot be read. */
  readonly onFailure: (error: unknown) => void
}

/** Samples in columns that become a file without waiting for the log to grow. */
const COLUMNS_SAMPLES = 4_000_000
/** As many are written when the folder is closed; fewer are read back quickly. */
const CLOSING_SAMPLES = 100_000
/** Nothing stays in columns alone for longer. */
const COLUMNS_NS = 2n * 3_600_000_000_000n
/** Samples that are kept for some time are in columns for no longer than a part of that. */
const AGE_PARTS = 8n
/** Exemplars that are held: those of older files are not read. */
const EXEMPLARS = 100_000
/** Files that follow each other and are of no higher level become one. */
const MERGE_FILES = 4
/** A file of a level has four times as many samples as one below; larger ones are left. */
const LEVEL_SAMPLES = 262_144
const MERGE_LEVELS = 5

/** What was in columns at a moment between two batches, and is to become a file. */
interface Frozen {
  readonly metrics: KeptMetrics
  readonly source: FrozenSamples
  readonly descriptions: readonly MetricDescription[]
  readonly exemplars: readonly SeriesExemplars[]
}

interface Pending {
  /** The last record of the log that is in it. */
  readonly toId: number
  readonly frozen: readonly Frozen[]
}

/** A file that the manifest names. */
interface Named {
  readonly metrics: KeptMetrics
  readonly entry: SegmentEntry
  /** `undefined` where it cannot be read. */
  readonly source: StoredSource | undefined
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

const MS = 1_000_000n

/**
 * The samples of a data folder: what was in columns at some moment becomes one file a backend, and the batches until then leave their
 * log with the edit that names them. So a file has what came with a run of batches, whatever its times: a late sample is in the next
 * file, and stands before those of earlier files. What is read back at a start goes behind what the files have.
 */
export class KeptSamples {
  readonly #options: KeptSamplesOptions
  #named: readonly Named[] = []
  #pending: readonly Pending[] = []
  /** Batches that may be taken back. */
  readonly #untold = new Set<number>()
  /** Until the log is read back. */
  #isReading = true
  /** While a batch is taken. */
  #isOpen = false
  #isLoading = false
  #lastId: number
  #frozenTo: number
  /** Changes of all stores when they were frozen, and since when there are others. */
  #changes = 0
  #sinceNs: bigint | undefined
  #isWanted = false
  #mayHaveEmptySeries = false
  readonly #exemplars = new Map<KeptMetrics, number>()
  readonly #pace = new MergePace()
  readonly #deletions: SampleDeletion[] = []
  #mayHaveRemains = true

  constructor(options: KeptSamplesOptions) {
    this.#options = options
    const { state } = options.manifest
    this.#lastId = state.samplesTo
    this.#frozenTo = state.samplesTo
    for (const metrics of options.metrics) {
      const { segments = [] } = state.tables.get(tableKey(metrics.backend, SAMPLES_TABLE)) ?? {}
      this.#restore(
        metrics,
        segments.toSorted((a, b) => a.endSequence - b.endSequence),
      )
    }
    this.#changes = this.#allChanges
    // A folder may have got its files by a build that did not raise its version.
    if (options.keeps && state.samplesTo > 0) allowSampleFiles(options.files, options.folder)
  }

  #restore(metrics: KeptMetrics, entries: readonly SegmentEntry[]): void {
    const { samples, metricCatalog } = metrics
    const named = entries.map((entry) => this.#open(metrics, entry))
    let exemplars = 0
    const recent: SeriesExemplars[] = []
    for (const { source } of named.toReversed()) {
      if (source === undefined || exemplars >= EXEMPLARS) continue
      exemplars += source.file.exemplarCount
      this.#whileReadable(() => recent.unshift(...source.file.exemplars()))
    }
    for (const { source } of named) if (source !== undefined) samples.replaceSources([], source)
    for (const { source } of named)
      this.#whileReadable(() => source !== undefined && metricCatalog.add(source.file.descriptions()))
    for (const { labels, exemplars: own } of recent) for (const each of own) samples.addExemplar(labels, each)
    metricCatalog.takeTold()
    this.#exemplars.set(metrics, samples.exemplarRing.added)
    this.#named = [...this.#named, ...named]
  }

  #whileReadable(read: () => unknown): void {
    try {
      read()
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      this.#options.onFailure(error)
    }
  }

  #storedOf({ backend }: KeptMetrics, { name, bytes, endSequence, ...entry }: SegmentEntry): StoredSamples {
    const startNs = epochStartNs(entry.epoch)
    const path = join(backendFolder(this.#options.folder, backend), name)
    const ms = (delta: number): number => Number((startNs + BigInt(delta)) / MS)
    return { name, path, bytes, order: endSequence, firstMs: ms(entry.firstDelta), lastMs: ms(entry.lastDelta) }
  }

  /** Of a file that cannot be read the store knows its times. */
  #open(metrics: KeptMetrics, entry: SegmentEntry): Named {
    const { pool, cache, onFailure } = this.#options
    const stored = this.#storedOf(metrics, entry)
    try {
      const source = new StoredSource(stored, pool.source(stored.path, stored.bytes, stored.name, entry.crc), cache)
      return { metrics, entry, source }
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      onFailure(error)
      metrics.samples.addUnreadable({ ...stored, stored, error })
      return { metrics, entry, source: undefined }
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
    this.#untold.add(id)
    if (this.#isReading || !this.#options.keeps) return
    this.#sinceNs ??= this.#options.nowNs()
    // Here, since the next one may have begun when somebody is told of this one.
    if (this.#isDue()) this.#freeze()
    this.#beginDeletions()
  }

  /** All of the log is read back. */
  readBack(): void {
    this.#isReading = false
    if (this.#options.keeps && this.#lastId > this.#frozenTo) this.#sinceNs = this.#options.nowNs()
  }

  told(id: number): void {
    this.#untold.delete(id)
  }

  /** What comes from here on is not in the log: it stays in memory. Between batches only. */
  beginLoading(): void {
    this.#freeze()
    this.#isLoading = true
  }

  endLoading(): void {
    this.#isLoading = false
    if (!this.#options.keeps) return
    for (const { samples, metricCatalog } of this.#options.metrics) {
      // Behind the batches before, and before those that come.
      samples.freeze(this.#lastId + 0.5)
      metricCatalog.takeTold()
    }
    for (const metrics of this.#options.metrics) this.#exemplars.set(metrics, metrics.samples.exemplarRing.added)
    this.#changes = this.#allChanges
  }

  /** Memory is scarce, or the folder is closed and there is enough: what is in columns is to be written. */
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
    // What is being written leaves the log anyhow.
    if (this.#pending.length > 0) return false
    if (log.extentOf('samples').bytes >= logBytes) return true
    const age = retention?.ageNs.get(SAMPLES_TABLE)
    const limitNs = age === undefined || age / AGE_PARTS > COLUMNS_NS ? COLUMNS_NS : age / AGE_PARTS
    return this.#sinceNs !== undefined && nowNs() - this.#sinceNs >= limitNs
  }

  /** What is in columns is to become files. */
  #freeze(): void {
    if (this.#lastId <= this.#frozenTo || !this.#options.keeps) return
    const frozen = this.#options.metrics.map((metrics): Frozen => {
      const { samples, metricCatalog } = metrics
      const added = this.#exemplars.get(metrics) ?? 0
      const exemplars: SeriesExemplars[] = []
      for (const { place, exemplar } of samples.exemplarRing.since(added)) {
        const series = samples.columns[place]
        if (series !== undefined && !isGone(series)) exemplars.push({ labels: series.labels, exemplars: [exemplar] })
      }
      this.#exemplars.set(metrics, samples.exemplarRing.added)
      return { metrics, source: samples.freeze(this.#lastId), descriptions: metricCatalog.takeTold(), exemplars }
    })
    this.#pending = [...this.#pending, { toId: this.#lastId, frozen }]
    this.#frozenTo = this.#lastId
    this.#changes = this.#allChanges
    this.#sinceNs = undefined
    this.#isWanted = false
  }

  /**
   * Takes samples and exemplars out for ever, those of every batch that was acknowledged before the call among them. Resolves with the
   * number of samples when none of them is in the log or in a file that the manifest names. Rejects where that cannot be done: all of a
   * folder's files lose theirs with one edit, or none does.
   */
  delete(backend: string, choice: SampleChoice): Promise<number> {
    const metrics = present(this.#options.metrics.find((each) => each.backend === backend))
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    this.#deletions.push({ metrics, choice, resolve, reject, begun: undefined })
    return promise
  }

  /** Refuses all deletions that wait. */
  refuse(error: unknown): void {
    for (const { reject } of this.#deletions.splice(0)) reject(refusal(error))
  }

  /** Between batches: all that came is frozen, so that it will be in files. */
  #beginDeletions(): void {
    if (this.#isOpen || this.#isLoading || this.#isReading) return
    for (const deletion of this.#deletions) {
      if (deletion.begun !== undefined) continue
      const { choice, metrics } = deletion
      const { samples } = metrics
      this.#freeze()
      const written = new Set(this.#pending.flatMap(({ frozen }) => frozen.map(({ source }) => source)))
      let loaded = 0
      for (const source of samples.sources)
        if (source instanceof FrozenSamples && !written.has(source)) loaded += samples.removeFromFrozen(source, choice)
      samples.removeExemplars(choice)
      deletion.begun = { toId: this.#frozenTo, loaded }
    }
  }

  async #runDeletions(): Promise<void> {
    for (let [first] = this.#deletions; first?.begun !== undefined; [first] = this.#deletions) {
      const { metrics, choice, begun, resolve, reject } = first
      if (this.#options.manifest.state.samplesTo < begun.toId) return
      this.#deletions.shift()
      try {
        resolve(begun.loaded + (await this.#delete(metrics, choice, begun.toId)))
      } catch (error) {
        reject(refusal(error))
      }
    }
  }

  async #delete(metrics: KeptMetrics, choice: SampleChoice, toId: number): Promise<number> {
    const { samples } = metrics
    samples.checkReadable(choice.startMs, choice.endMs)
    const files = this.#readable(metrics).filter(({ entry }) => entry.endSequence <= toId)
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
      for (const { source } of this.#pending.flatMap(({ frozen }) => frozen))
        for (const columns of source.columns) columns?.forgetHintBehind(choice.endMs)
      for (const series of samples.find(choice.matchers)) series.forgetHintBehind(choice.endMs)
      this.#mayHaveEmptySeries = true
      this.want()
    }
    await this.#removeRemains(metrics)
    return count
  }

  /** Files that can be read, by order. */
  #readable(metrics: KeptMetrics): readonly ReadableFile[] {
    const own = this.#named.flatMap((named) =>
      named.metrics === metrics && named.source !== undefined ? [{ ...named, source: named.source }] : [],
    )
    return own.sort((a, b) => a.entry.endSequence - b.entry.endSequence)
  }

  /** Writes files anew and names them with one edit; one that would have nothing is not written. */
  async #replaceAll(
    metrics: KeptMetrics,
    changed: readonly { readonly file: ReadableFile; readonly content: SamplesToWrite }[],
  ): Promise<void> {
    const { files, folder, manifest, edits } = this.#options
    const { backend } = metrics
    const remove = changed.map(({ file }) => file.entry.name)
    const add: SegmentEntry[] = []
    const by = new Map<ReadableFile, SegmentEntry>()
    const removeFile = (name: string): void => files.remove(join(backendFolder(folder, backend), name))
    try {
      for (const { file, content } of changed) {
        const { firstSequence, endSequence } = file.entry
        const entry = await this.#writeFile(metrics, content, { firstSequence, endSequence })
        if (entry.rowCount + content.descriptions.length + content.exemplars.length === 0) removeFile(entry.name)
        else {
          add.push(entry)
          by.set(file, entry)
        }
      }
      const edit = editOf(metrics, { add, remove, hasRemains: true })
      await manifest.commit({ nextFile: edits.nextFile, tables: [edit] })
    } catch (error) {
      for (const { name } of add) removeFile(name)
      throw error
    }
    this.#named = this.#named.filter((each) => each.metrics !== metrics || !remove.includes(each.entry.name))
    for (const { file } of changed) {
      const entry = by.get(file)
      this.#putInPlace(metrics, [file.source], entry && this.#open(metrics, entry))
      file.source.file.drop()
    }
    edits.leave(backend, remove)
    edits.changed()
  }

  /** Takes batches out of the log whose samples were deleted from files. */
  async #removeRemains(metrics: KeptMetrics): Promise<void> {
    const { log, manifest } = this.#options
    const { samplesTo, tables } = manifest.state
    if (tables.get(tableKey(metrics.backend, SAMPLES_TABLE))?.hasRemains !== true) return
    if (samplesTo > log.extentOf('samples').startId) await log.leave(samplesTo, 'samples')
    await manifest.commit({ tables: [editOf(metrics, { hasRemains: false })] })
  }

  /** What a deletion that was interrupted has left. */
  async #removeOldRemains(): Promise<void> {
    if (!this.#mayHaveRemains) return
    for (const metrics of this.#options.metrics) await this.#removeRemains(metrics)
    this.#mayHaveRemains = false
  }

  /** Writes what is to be written, deletes, shortens the log, lets go of what is too old, merges. One call at a time. */
  async keep(isClosing: boolean): Promise<void> {
    try {
      await this.#keep(isClosing)
    } catch (error) {
      this.refuse(error)
      throw error
    }
  }

  async #keep(isClosing: boolean): Promise<void> {
    if (!this.#isOpen && this.#isDue()) this.#freeze()
    this.#beginDeletions()
    for (let [first] = this.#pending; first !== undefined; [first] = this.#pending) {
      // Batches that may be taken back wait; the next one that is told comes here again.
      for (const id of this.#untold) if (id <= first.toId) return
      await this.#write(first)
    }
    await this.#removeOldRemains()
    await this.#runDeletions()
    await this.#shortenLog()
    await this.#dropOverdue()
    this.#forgetEmptySeries()
    if (!isClosing) await this.#mergeSome()
  }

  async #write(pending: Pending): Promise<void> {
    const { files, folder, manifest, edits } = this.#options
    const { samplesTo } = manifest.state
    const written: { readonly frozen: Frozen; readonly entry: SegmentEntry }[] = []
    for (const each of pending.frozen) {
      const { metrics, source, descriptions, exemplars } = each
      if (source.columns.every((columns) => columns === undefined) && descriptions.length + exemplars.length === 0)
        continue
      const series = seriesOf(source)
      const range = { firstSequence: samplesTo, endSequence: pending.toId }
      const entry = await this.#writeFile(metrics, { series, descriptions, exemplars }, range)
      written.push({ frozen: each, entry })
    }
    if (samplesTo === 0) allowSampleFiles(files, folder)
    await manifest.commit({
      samplesTo: pending.toId,
      nextFile: edits.nextFile,
      tables: written.map(({ frozen, entry }) => editOf(frozen.metrics, { add: [entry] })),
    })
    this.#pending = this.#pending.filter((each) => each !== pending)
    for (const { metrics, source } of pending.frozen) {
      const found = written.find(({ frozen }) => frozen.metrics === metrics)
      this.#putInPlace(metrics, [source], found && this.#open(metrics, found.entry))
    }
    edits.changed()
  }

  #putInPlace({ samples }: KeptMetrics, old: readonly SamplesSource[], named: Named | undefined): void {
    samples.replaceSources(old, named?.source)
    if (named !== undefined) this.#named = [...this.#named, named]
  }

  async #writeFile(
    { backend }: KeptMetrics,
    content: SamplesToWrite,
    range: Pick<SegmentEntry, 'firstSequence' | 'endSequence'>,
  ): Promise<SegmentEntry> {
    const { files, folder, edits, nowNs } = this.#options
    const place = backendFolder(folder, backend)
    makeFolder(files, place)
    const name = samplesFile(edits.nextFile++)
    const summary = await writeNewFile(files, join(place, name), (write) => inTurns(writeSamples(content, write)))
    await files.syncFolderLater(place)
    const createdNs = nowNs()
    return { name, createdMs: Number(createdNs / MS), ...range, ...timesOf(summary, createdNs) }
  }

  async #shortenLog(): Promise<void> {
    const { log, manifest, logBytes } = this.#options
    const { startId, lastId, bytes } = log.extentOf('samples')
    const { samplesTo } = manifest.state
    if (samplesTo > startId && bytes >= logBytes && samplesTo - startId >= (lastId - startId) / 2)
      await log.leave(samplesTo, 'samples')
  }

  async #dropOverdue(): Promise<void> {
    const { retention, manifest, nowNs, edits } = this.#options
    if (retention === undefined) return
    const gone = overdue(manifest.state, retention, nowNs())
    const own = this.#named.filter(({ entry }) => gone.has(entry))
    if (own.length === 0) return
    await manifest.commit({
      tables: own.map(({ metrics, entry }) => editOf(metrics, { remove: [entry.name] })),
    })
    for (const { metrics, entry, source } of own) {
      metrics.samples.replaceSources(source === undefined ? [] : [source], undefined)
      metrics.samples.removeUnreadable(entry.name)
      edits.leave(metrics.backend, [entry.name])
    }
    this.#named = this.#named.filter((each) => !own.includes(each))
    this.#mayHaveEmptySeries = true
    edits.changed()
  }

  /** While a batch is taken in its series may be empty still. */
  #forgetEmptySeries(): void {
    if (!this.#mayHaveEmptySeries || this.#isOpen || this.#isLoading) return
    this.#mayHaveEmptySeries = false
    for (const { samples } of this.#options.metrics) samples.forgetEmptySeries()
  }

  async #mergeSome(): Promise<void> {
    if (!this.#pace.isTime) return
    for (const metrics of this.#options.metrics) {
      const own = this.#named.filter((named) => named.metrics === metrics)
      const some = mergeable(own.toSorted((a, b) => a.entry.endSequence - b.entry.endSequence))
      if (some.length === 0) continue
      await this.#pace.run(() => this.#merge(metrics, some))
      return
    }
  }

  async #merge(metrics: KeptMetrics, some: readonly ReadableFile[]): Promise<void> {
    const { manifest, edits } = this.#options
    const range = {
      firstSequence: Math.min(...some.map(({ entry }) => entry.firstSequence)),
      endSequence: Math.max(...some.map(({ entry }) => entry.endSequence)),
    }
    const sources = some.map(({ source }) => source)
    const content = {
      series: mergedSeries(sources),
      descriptions: distinct(sources.flatMap(({ file }) => file.descriptions())),
      exemplars: sources.flatMap(({ file }) => file.exemplars()).slice(-EXEMPLARS),
    }
    const entry = await this.#writeFile(metrics, content, range)
    const remove = some.map((each) => each.entry.name)
    await manifest.commit({ nextFile: edits.nextFile, tables: [editOf(metrics, { add: [entry], remove })] })
    this.#named = this.#named.filter((each) => !remove.includes(each.entry.name) || each.metrics !== metrics)
    this.#putInPlace(metrics, sources, this.#open(metrics, entry))
    for (const { file } of sources) file.drop()
    edits.leave(metrics.backend, remove)
    edits.changed()
  }
}

function editOf({ backend }: KeptMetrics, edit: Pick<TableEdit, 'add' | 'remove' | 'hasRemains'>): TableEdit {
  return { backend, table: SAMPLES_TABLE, ...edit }
}

/** What the manifest says of a file. One without samples is as old as itself. */
function timesOf(
  { bytes, crc, samples, firstMs, lastMs }: SamplesSummary,
  createdNs: bigint,
): Omit<SegmentEntry, 'name' | 'createdMs' | 'firstSequence' | 'endSequence'> {
  const lastNs = samples === 0 ? createdNs : BigInt(Math.trunc(lastMs)) * MS
  const { epoch, delta } = epochTimeOf(lastNs)
  const firstDelta = delta - Math.ceil(lastMs - firstMs) * 1e6
  return { bytes, crc, rowCount: samples, epoch, firstDelta, lastDelta: delta }
}

function* seriesOf({ columns }: FrozenSamples): Generator<SeriesToWrite> {
  const all = columns.filter((each) => each !== undefined).sort((a, b) => compareLabels(a.labels, b.labels))
  for (const each of all) yield { labels: each.labels, samples: each.slice(-Infinity, Infinity) }
}

/** The series of files that follow each other, as one. */
function* mergedSeries(sources: readonly StoredSource[]): Generator<SeriesToWrite> {
  const all = new Map<string, { readonly labels: Labels; readonly parts: SamplesPart[] }>()
  for (const source of sources)
    for (const [place, labels] of source.labels.entries()) {
      const part = source.part(place)
      if (part === undefined) continue
      const known = all.get(labels.key)
      if (known === undefined) all.set(labels.key, { labels, parts: [part] })
      else known.parts.push(part)
    }
  for (const { labels, parts } of [...all.values()].sort((a, b) => compareLabels(a.labels, b.labels))) {
    const slices = parts.flatMap((part) => part.slice(-Infinity, Infinity) ?? [])
    yield { labels, samples: slices.length === 0 ? undefined : mergedSlices(slices) }
  }
}

function distinct(descriptions: readonly MetricDescription[]): readonly MetricDescription[] {
  const byText = new Map<string, MetricDescription>()
  for (const each of descriptions) byText.set(JSON.stringify([each.name, each.type, each.help, each.unit]), each)
  return [...byText.values()]
}

type ReadableFile = Named & { readonly source: StoredSource }

function levelOf({ entry }: Named): number {
  let level = 0
  for (let samples = LEVEL_SAMPLES; entry.rowCount >= samples; samples *= 4) level++
  return level
}

/** The first files, by order, that are to become one. */
function mergeable(files: readonly Named[]): readonly ReadableFile[] {
  for (let level = 0; level < MERGE_LEVELS; level++) {
    let run: ReadableFile[] = []
    for (const file of files) {
      const { source } = file
      if (source === undefined || levelOf(file) > level) run = []
      else run.push({ ...file, source })
      if (run.length === MERGE_FILES) return run
    }
  }
  return []
}
