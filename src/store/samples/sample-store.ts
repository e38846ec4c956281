import { SluiceError } from '../../base/index.ts'
import { Labels, compareLabels } from '../../data/index.ts'
import { ExemplarRing, type Exemplar, type PlacedExemplar } from './exemplar-ring.ts'
import { countOf, isInRange, type SampleChoice } from './sample-choice.ts'
import { LabelIndex } from './label-index.ts'
import { floatPieces } from './slices.ts'
import type { NewSample } from './new-sample.ts'
import { NO_PARTS, SampleColumns, type SeriesOwner } from './sample-columns.ts'
import type { SamplesPart, SamplesSource, StoredSamples } from './samples-part.ts'
import { SourceNumbers } from './source-numbers.ts'
import { isSystemFailure } from './system-failure.ts'
import type { LabelMatcher } from '../../plan/series/index.ts'
import type {
  MetadataRequest,
  SampleRequest,
  SampleSource,
  SeriesExemplars,
  SeriesFilter,
  SeriesSamples,
  SeriesSpan,
} from './source.ts'

/** A source that cannot be read: nothing is told of its times without it. */
export interface UnreadableSource {
  readonly name: string
  /** Unix milliseconds, both included. */
  readonly firstMs: number
  readonly lastMs: number
  readonly error: unknown
  readonly stored?: StoredSamples | undefined
  /** Opens it again, where the system could not read it; throws what keeps it from being read. */
  readonly open?: () => SamplesSource
}

/** Exemplars of series, by their places, that were taken out. */
export interface ExemplarRemoval extends Pick<SampleChoice, 'startMs' | 'endMs'> {
  readonly places: Uint32Array
}

/** Columns that were frozen together, by the place of their series. */
export class FrozenSamples implements SamplesSource {
  readonly name: string
  /** Of its store this many times columns were frozen, with this. */
  readonly number: number
  readonly order: number
  readonly columns: readonly (SampleColumns | undefined)[]
  readonly #places: Int32Array

  constructor(number: number, order: number, columns: readonly (SampleColumns | undefined)[]) {
    this.name = `frozen ${number}`
    this.number = number
    this.order = order
    this.columns = columns
    this.#places = Int32Array.from(columns.keys()).filter((place) => columns[place] !== undefined)
  }

  places(): Int32Array {
    return this.#places
  }

  part(series: number): SampleColumns | undefined {
    return this.columns[this.#places[series] ?? -1]
  }

  get bytes(): number {
    return this.columns.reduce((total, columns) => total + (columns?.bytes ?? 0), 0)
  }
}

/** What a sample of a source takes when it is read: time, value, marks. */
const SAMPLE_BYTES = 24
/**
 * What a change of the version, which is a sample or a series, and what a series beside that takes at most, bytes. A character of labels
 * stands in the label set and in its key.
 */
export const mostGrowth = { changeBytes: 64, seriesBytes: 512, labelCharBytes: 2 } as const

/** What a series takes beside its columns and the texts of its labels. */
const SERIES_BYTES = 256

/** Stands at the places of series that have left. */
const GONE = new SampleColumns(Labels.empty)

export function isGone(columns: SampleColumns): boolean {
  return columns === GONE
}

/**
 * Samples of series, found by label set or through the label index: in columns, and behind those in sources that nothing is added to
 * any more, such as files.
 */
export class SampleStore implements SampleSource {
  readonly #index = new LabelIndex()
  readonly #series: SampleColumns[] = []
  readonly #exemplars = new ExemplarRing()
  readonly #ids = new Map<string, number>()
  /** Rank of each series in the order of label sets; `undefined` once series were added. */
  #ranks: Int32Array | undefined
  readonly #count: SeriesOwner = { changes: 0, partsAt: (place) => this.#partsAt(place) }
  /** By ascending order. */
  #sources: readonly SamplesSource[] = []
  /** By source, which of its series stands at a place here; in the same order. */
  #numbers: ReadonlyMap<SamplesSource, SourceNumbers> = new Map()
  #unreadable: readonly UnreadableSource[] = []
  #freezes = 0
  /** Places of series that have left: the next new ones get them. */
  readonly #free: number[] = []
  #arrivals = 0
  #departures = 0
  #labelChars = 0
  /** Of the series that was looked up last. */
  #lastPlace = -1
  #exemplarsGone: readonly ExemplarRemoval[] = []

  /** Another one whenever there is a new series or sample. */
  get version(): number {
    return this.#count.changes
  }

  /** All series; each keeps its place until it leaves, and another one may get it then. */
  get columns(): readonly SampleColumns[] {
    return this.#series
  }

  get seriesCount(): number {
    return this.#ids.size
  }

  /** What its series have behind their columns, by ascending order. */
  get sources(): readonly SamplesSource[] {
    return this.#sources
  }

  get unreadable(): readonly UnreadableSource[] {
    return this.#unreadable
  }

  /** How often its columns were frozen. */
  get freezes(): number {
    return this.#freezes
  }

  /** How many series have come, each time that they came. */
  get arrivals(): number {
    return this.#arrivals
  }

  /** How often series have left. */
  get departures(): number {
    return this.#departures
  }

  /** Makes a source of what the columns have, which go on empty. */
  freeze(order: number): FrozenSamples {
    const columns = this.#series.map((series) => series.freeze())
    const frozen = new FrozenSamples(++this.#freezes, order, columns)
    this.#addSource(frozen)
    this.#count.changes++
    return frozen
  }

  /** Forgets what the columns have, for a reader that is told nothing of what became of them. */
  emptyColumns(): void {
    this.#freezes++
    for (const series of this.#series) if (series !== GONE) series.empty()
  }

  /** Puts one source, or none, in the place of others; series are made for it where they are new. */
  replaceSources(old: readonly SamplesSource[], by: SamplesSource | undefined): void {
    for (const source of old) this.#removeSource(source)
    if (by !== undefined) this.#addSource(by)
    this.#count.changes++
  }

  /**
   * Takes samples out of columns that were frozen, while no other columns have any; gives how many there were. What is left is another
   * source in its place.
   */
  removeFromFrozen(source: FrozenSamples, { matchers, startMs, endMs }: SampleChoice): number {
    let count = 0
    const columns = source.columns.slice()
    for (const place of this.#index.find(matchers, undefined)) {
      const slice = columns[place]?.slice(startMs, endMs)
      if (slice === undefined) continue
      count += countOf(slice)
      columns[place] = columns[place]?.without(startMs, endMs)
    }
    if (count === 0) return 0
    this.#removeSource(source)
    this.#addSource(new FrozenSamples(++this.#freezes, source.order, columns))
    this.#count.changes++
    return count
  }

  /** Of a time that it has nothing may be told. */
  addUnreadable(source: UnreadableSource): void {
    this.#unreadable = [...this.#unreadable, source]
    this.#count.changes++
  }

  removeUnreadable(name: string): void {
    this.#unreadable = this.#unreadable.filter((each) => each.name !== name)
    this.#count.changes++
  }

  #addSource(source: SamplesSource): void {
    const places = source.places((labels) => {
      this.seriesFor(labels)
      return this.#ids.get(labels.key) ?? -1
    })
    const numbers = new SourceNumbers(source, places)
    for (const place of numbers.places()) this.#series[place]?.partsChanged()
    this.#sources = [...this.#sources, source].sort((a, b) => a.order - b.order)
    const all = new Map(this.#numbers).set(source, numbers)
    this.#numbers = new Map([...all].sort(([a], [b]) => a.order - b.order))
  }

  #partsAt(place: number): readonly SamplesPart[] {
    let parts: SamplesPart[] | undefined
    for (const [source, numbers] of this.#numbers) {
      const number = numbers.at(place)
      const part = number === undefined ? undefined : source.part(number)
      if (part === undefined) continue
      if (parts === undefined) parts = [part]
      else parts.push(part)
    }
    return parts ?? NO_PARTS
  }

  #removeSource(source: SamplesSource): void {
    if (!this.#sources.includes(source)) return
    this.#sources = this.#sources.filter((each) => each !== source)
    const numbers = new Map(this.#numbers)
    const own = numbers.get(source)
    numbers.delete(source)
    this.#numbers = numbers
    for (const place of own?.places() ?? []) this.#series[place]?.partsChanged()
    source.drop?.()
  }

  /** Takes series without any sample out of the index, and their exemplars; nobody may hold on to their columns. */
  forgetEmptySeries(): void {
    const hasParts = new Uint8Array(this.#series.length)
    for (const numbers of this.#numbers.values()) for (const place of numbers.places()) hasParts[place] = 1
    const places: number[] = []
    for (const [place, series] of this.#series.entries())
      if (series !== GONE && series.count === 0 && hasParts[place] === 0) places.push(place)
    this.forgetSeries(places)
    for (const place of places) this.#free.push(place)
  }

  /** For a reader of another thread's store: the next place is that of a series that has left. */
  addGone(): void {
    this.#series.push(GONE)
  }

  /** Likewise: a new series at a place, where another one may have been. */
  adoptSeries(labels: Labels, place: number): SampleColumns {
    this.forgetSeries([place])
    return this.#put(labels, place)
  }

  /** Series by their places. */
  forgetSeries(places: readonly number[]): void {
    const known = new Set(places.filter((place) => (this.#series[place] ?? GONE) !== GONE))
    if (known.size === 0) return
    this.#index.remove(known)
    this.#exemplars.remove(({ place }) => known.has(place))
    for (const place of known) {
      const { labels } = this.#series[place] ?? GONE
      // A reader may know it at the place that it has come again at.
      if (this.#ids.get(labels.key) === place) this.#ids.delete(labels.key)
      this.#labelChars -= labels.chars
      this.#series[place] = GONE
    }
    this.#departures++
    this.#count.changes++
  }

  /** Samples that several sources have count as often. */
  get sampleCount(): number {
    return this.#series.reduce(
      (total, { count, parts }) => total + parts.reduce((sum, part) => sum + part.count, count),
      0,
    )
  }

  /** What the texts of the labels of its series take. */
  get labelBytes(): number {
    return this.#labelChars * mostGrowth.labelCharBytes
  }

  /** What its sources take, with which series of them stands where. */
  get sourceBytes(): number {
    let total = 0
    for (const [source, { bytes }] of this.#numbers) total += source.bytes + bytes
    return total
  }

  get bytes(): number {
    let total = this.sourceBytes + this.labelBytes + this.#exemplars.bytes
    for (const { bytes } of this.#series) total += bytes + SERIES_BYTES
    return total
  }

  /** The columns of a series, made when it is new. Keep it to append many samples without looking it up again. */
  seriesFor(labels: Labels): SampleColumns {
    return this.#known(labels) ?? this.#made(labels)
  }

  #known(labels: Labels): SampleColumns | undefined {
    // Senders repeat series in the order in which they first came.
    const next = this.#series[this.#lastPlace + 1]
    if (next?.labels === labels && next !== GONE) {
      this.#lastPlace++
      return next
    }
    const place = this.#ids.get(labels.key)
    if (place === undefined) return undefined
    this.#lastPlace = place
    return this.#series[place]
  }

  #made(labels: Labels): SampleColumns {
    return this.#put(labels, this.#free.pop() ?? this.#series.length)
  }

  #put(labels: Labels, place: number): SampleColumns {
    const series = new SampleColumns(labels, this.#count, place)
    this.#count.changes++
    this.#index.add(labels, place)
    this.#ids.set(labels.key, place)
    this.#labelChars += labels.chars
    this.#arrivals++
    this.#series[place] = series
    this.#ranks = undefined
    return series
  }

  /** As `seriesFor`; `undefined` when it would be a new one beyond so many. */
  seriesWithin(labels: Labels, limitSeries: number): SampleColumns | undefined {
    return this.#known(labels) ?? (this.seriesCount < limitSeries ? this.#made(labels) : undefined)
  }

  append(labels: Labels, sample: NewSample): void {
    this.seriesFor(labels).append(sample)
  }

  /** Keeps an exemplar of a series, which is made when it is new and within the limit. */
  addExemplar(labels: Labels, exemplar: Exemplar, limitSeries = Infinity): void {
    if (this.seriesWithin(labels, limitSeries) === undefined) return
    if (this.#exemplars.add(this.#ids.get(labels.key) ?? -1, exemplar)) this.#count.changes++
  }

  /** For a reader of another thread's store. */
  adoptExemplar({ place, exemplar }: PlacedExemplar): void {
    this.#exemplars.add(place, exemplar)
  }

  get exemplarRing(): Pick<ExemplarRing, 'added' | 'since'> {
    return this.#exemplars
  }

  /** Takes exemplars out. */
  removeExemplars({ matchers, startMs, endMs }: SampleChoice): void {
    const chosen = new Set(this.#index.find(matchers, undefined))
    const places = new Set<number>()
    for (const { place, exemplar } of this.#exemplars.since(0))
      if (chosen.has(place) && isInRange(exemplar, { startMs, endMs })) places.add(place)
    if (places.size > 0) this.removeExemplarsAt({ places: Uint32Array.from(places), startMs, endMs })
  }

  /** The same by the places of series. */
  removeExemplarsAt(removal: ExemplarRemoval): void {
    const places = new Set(removal.places)
    this.#exemplars.remove(({ place, exemplar }) => places.has(place) && isInRange(exemplar, removal))
    this.#exemplarsGone = [...this.#exemplarsGone, removal]
    this.#count.changes++
  }

  /** What was taken out of the exemplars: a list that only grows. */
  get exemplarsGone(): readonly ExemplarRemoval[] {
    return this.#exemplarsGone
  }

  /** The series that pass all matchers. */
  find(matchers: readonly LabelMatcher[]): readonly SampleColumns[] {
    return this.#index.find(matchers, undefined).flatMap((place) => this.#series[place] ?? [])
  }

  /**
   * Throws SluiceError `durable/damaged` or `durable/read-failed` where a source that may have samples in `(startMs, endMs]` cannot
   * be read. What the system could not read is opened again first.
   */
  checkReadable(startMs: number, endMs: number): void {
    for (const source of this.#unreadable) {
      if (source.lastMs <= startMs || source.firstMs > endMs) continue
      const error = this.#reopened(source)
      if (error !== undefined) throw error
    }
  }

  /** Opens again all that the system could not read. Throws SluiceError `durable/read-failed` where it still cannot. */
  reopen(): void {
    for (const source of this.#unreadable) {
      const error = this.#reopened(source)
      if (isSystemFailure(error)) throw error
    }
  }

  /** `undefined` where a source can be read now, else why it cannot. */
  #reopened(source: UnreadableSource): unknown {
    const { name, error, open } = source
    if (open === undefined || !isSystemFailure(error)) return error
    let found: SamplesSource
    try {
      found = open()
    } catch (again) {
      if (!(again instanceof SluiceError)) throw again
      this.#unreadable = this.#unreadable.map((each) => (each === source ? { ...each, error: again } : each))
      return again
    }
    this.removeUnreadable(name)
    this.replaceSources([], found)
    return undefined
  }

  exemplars({ filters, guard, startMs, endMs }: MetadataRequest): readonly SeriesExemplars[] {
    const ranks = this.#currentRanks()
    const wanted = new Set(filters.flatMap((matchers) => this.#index.find(matchers, guard)))
    const found = new Map<number, Exemplar[]>()
    for (const { place, exemplar } of this.#exemplars.since(0)) {
      if (!wanted.has(place) || exemplar.timeMs < startMs || exemplar.timeMs > endMs) continue
      const list = found.get(place)
      if (list === undefined) found.set(place, [exemplar])
      else list.push(exemplar)
    }
    return [...found]
      .sort(([a], [b]) => (ranks[a] ?? 0) - (ranks[b] ?? 0))
      .map(([place, exemplars]) => ({
        labels: this.#index.labelsOf(place),
        exemplars: exemplars.sort((a, b) => a.timeMs - b.timeMs),
      }))
  }

  /** Throws SluiceError `durable/damaged` where a source cannot be read. */
  select(request: SampleRequest): readonly SeriesSamples[] {
    const { startMs, endMs, isPresenceOnly, checkpoint, charge } = request
    this.checkReadable(startMs, endMs)
    const ranks = this.#currentRanks()
    const ids = [...this.#index.find(request.matchers, request.guard)].sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0))
    const found: SeriesSamples[] = []
    const hasSources = this.#sources.length > 0
    const take = floatPieces()
    for (const id of ids) {
      const series = this.#series[id]
      if (series === undefined) continue
      if (hasSources) {
        charge?.(series.countIn(startMs, endMs) * SAMPLE_BYTES)
        checkpoint?.()
      }
      const samples = series.slice(startMs, endMs, isPresenceOnly, take)
      if (samples !== undefined) found.push(samples)
    }
    return found
  }

  /** Throws SluiceError `durable/damaged` where a file does not say which series it has. */
  spans({ matchers, guard }: SeriesFilter): readonly SeriesSpan[] {
    this.checkReadable(-Infinity, Infinity)
    const ranks = this.#currentRanks()
    return [...this.#index.find(matchers, guard)]
      .sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0))
      .flatMap((place) => {
        const series = this.#series[place]
        const span = series?.span
        return series === undefined || span === undefined ? [] : [{ labels: series.labels, ...span }]
      })
  }

  series(request: MetadataRequest): readonly Labels[] {
    this.checkReadable(request.startMs, request.endMs)
    const ranks = this.#currentRanks()
    const filters = request.filters.length === 0 ? [[]] : request.filters
    const ids = new Set(filters.flatMap((matchers) => this.#index.find(matchers, request.guard)))
    return [...ids]
      .filter((id) => this.#series[id]?.hasSampleIn(request.startMs, request.endMs))
      .sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0))
      .map((id) => this.#index.labelsOf(id))
  }

  /** Forgets samples up to a time. Series stay known, so that their columns can be held on to. */
  dropUntil(timeMs: number): void {
    for (const series of this.#series) series.dropUntil(timeMs)
  }

  #currentRanks(): Int32Array {
    if (this.#ranks !== undefined) return this.#ranks
    const order = [...this.#series.keys()]
    const labelsAt = (place: number): Labels => (this.#series[place] ?? GONE).labels
    order.sort((a, b) => compareLabels(labelsAt(a), labelsAt(b)))
    const ranks = new Int32Array(order.length)
    for (const [rank, id] of order.entries()) ranks[id] = rank
    this.#ranks = ranks
    return ranks
  }
}
