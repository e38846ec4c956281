import { compareLabels, type Labels } from '../../data/index.ts'
import { ExemplarRing, type Exemplar, type PlacedExemplar } from './exemplar-ring.ts'
import { LabelIndex } from './label-index.ts'
import { SampleColumns, type ChangeCount, type NewSample } from './sample-columns.ts'
import type { MetadataRequest, SampleRequest, SampleSource, SeriesExemplars, SeriesSamples } from './source.ts'

/** Samples in memory: one set of columns a series, found by label set or through the label index. */
export class SampleStore implements SampleSource {
  readonly #index = new LabelIndex()
  readonly #series: SampleColumns[] = []
  readonly #exemplars = new ExemplarRing()
  readonly #ids = new Map<string, number>()
  /** Rank of each series in the order of label sets; made again when series were added. */
  #ranks = new Int32Array(0)
  readonly #count: ChangeCount = { changes: 0 }

  /** Another one whenever there is a new series or sample. */
  get version(): number {
    return this.#count.changes
  }

  /** All series, in the order in which they came; a series keeps its place. */
  get columns(): readonly SampleColumns[] {
    return this.#series
  }

  get seriesCount(): number {
    return this.#series.length
  }

  get sampleCount(): number {
    return this.#series.reduce((total, series) => total + series.count, 0)
  }

  get bytes(): number {
    return this.#series.reduce((total, series) => total + series.bytes + 256, 0)
  }

  /** The columns of a series, made when it is new. Keep it to append many samples without looking it up again. */
  seriesFor(labels: Labels): SampleColumns {
    const id = this.#ids.get(labels.key)
    const known = id === undefined ? undefined : this.#series[id]
    if (known !== undefined) return known
    const series = new SampleColumns(labels, this.#count)
    this.#count.changes++
    this.#ids.set(labels.key, this.#index.add(labels))
    this.#series.push(series)
    return series
  }

  /** As `seriesFor`; `undefined` when it would be a new one beyond so many. */
  seriesWithin(labels: Labels, limitSeries: number): SampleColumns | undefined {
    return this.#ids.has(labels.key) || this.#series.length < limitSeries ? this.seriesFor(labels) : undefined
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

  select(request: SampleRequest): readonly SeriesSamples[] {
    const ranks = this.#currentRanks()
    const ids = [...this.#index.find(request.matchers, request.guard)].sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0))
    const found: SeriesSamples[] = []
    for (const id of ids) {
      const samples = this.#series[id]?.slice(request.startMs, request.endMs)
      if (samples !== undefined) found.push(samples)
    }
    return found
  }

  series(request: MetadataRequest): readonly Labels[] {
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
    if (this.#ranks.length !== this.#series.length) {
      const order = [...this.#series.keys()]
      order.sort((a, b) => compareLabels(this.#index.labelsOf(a), this.#index.labelsOf(b)))
      this.#ranks = new Int32Array(order.length)
      for (const [rank, id] of order.entries()) this.#ranks[id] = rank
    }
    return this.#ranks
  }
}
