import { ITEMS_PER_CHECKPOINT } from '../../base/index.ts'
import { Labels, type Histogram } from '../../data/index.ts'
import { SampleColumns, type ColumnsState } from './sample-columns.ts'
import type { Exemplar } from './exemplar.ts'
import type { ExemplarRemoval } from './store/exemplar-ring.ts'
import { FrozenSamples } from './store/frozen-samples.ts'
import type { SampleStore } from './store/sample-store.ts'
import type { UnreadableSource } from './store/sample-sources.ts'
import { isGone } from './store/series-list.ts'
import type { SamplesSource, StoredSamples } from './samples-part.ts'

/** A series whose columns are not those that were told before, or that was not told before. */
interface SeriesNews extends ColumnsState {
  /** Its place among all series. */
  readonly place: number
  /** Names and values of the labels, of a new series; `gone` for one that has left. */
  readonly labels: readonly [names: readonly string[], values: readonly string[]] | 'gone' | undefined
}

/**
 * What a reader in another thread has not been told of samples yet: shared columns by name, and how far they go. Histograms,
 * which are objects, are copied.
 */
export interface SamplesNews {
  readonly series: readonly SeriesNews[]
  /** Places and counts of series whose columns only go further, in pairs. */
  readonly counts: Uint32Array
  readonly histograms: readonly (readonly [place: number, at: number, list: readonly (Histogram | undefined)[]])[]
  /** Of series that were told before. */
  readonly exemplars: readonly ExemplarNews[]
  /** Of exemplars that were told before; new ones are behind it. */
  readonly exemplarsGone?: readonly ExemplarRemoval[]
  /** What becomes of sources, behind the news of series. */
  readonly sources?: SourcesNews
}

/** Opens a file of samples that another thread has written. Throws SluiceError `durable/…` where it cannot be read. */
export type OpenSamples = (stored: StoredSamples) => SamplesSource

interface SourcesNews {
  /** The columns are a source now, of this order; or, with `undefined`, have become something that the rest tells of. */
  readonly frozen?: { readonly order: number | undefined }
  /** Names of sources. */
  readonly gone?: readonly string[]
  readonly stored?: readonly StoredSamples[]
  /** Places of series that have left. */
  readonly goneSeries?: readonly number[]
}

type ExemplarNews = readonly [
  place: number,
  timeMs: number,
  value: number,
  names: readonly string[],
  values: readonly string[],
]

const NOTHING: SamplesNews = { series: [], counts: new Uint32Array(0), histograms: [], exemplars: [] }
const EMPTY = new SampleColumns(Labels.empty)

/**
 * Tells one reader in another thread of a store of samples: each time what is new since the last. Between two pieces the store may change:
 * a series may leave, and another one get its place, so each place is told with the series that it stands for.
 */
export class SamplesPublisher {
  readonly #store: SampleStore
  #version = 0
  #exemplars = 0
  #freezes = 0
  #departures = 0
  #exemplarsGone = 0
  /** Names of sources that the reader has. */
  readonly #sources = new Set<string>()
  /** By place, the series that the reader has there; `undefined` where none is any more. */
  readonly #series: (SampleColumns | undefined)[] = []
  readonly #counts: number[] = []
  readonly #layouts: number[] = []

  constructor(store: SampleStore) {
    this.#store = store
  }

  /** The pieces of news, all of which the reader must have before it reads again; to be read to the end. */
  *news(): Generator<SamplesNews> {
    const { version } = this.#store
    const { all: sources, freezes } = this.#store.sources
    if (this.#version === version) return
    // First, since one that has come again has another place.
    yield* this.#goneSeries()
    // Before what has come in the place of one of them, of the same order.
    const gone = this.#goneSources()
    if (gone.length > 0) yield { ...NOTHING, sources: { gone } }
    for (let number = this.#freezes + 1; number <= freezes; number++) {
      const frozen = sources.find((source) => source instanceof FrozenSamples && source.number === number)
      if (frozen instanceof FrozenSamples) yield* this.#columnsNews(frozen.columns)
      this.#counts.fill(0)
      this.#layouts.fill(-1)
      yield { ...NOTHING, sources: { frozen: { order: frozen?.order } } }
      if (frozen !== undefined) this.#sources.add(frozen.name)
    }
    this.#freezes = freezes
    // Before sources, so that series have the places that they have here.
    yield* this.#columnsNews(this.#store.series.all)
    yield* this.#sourcesNews()
    this.#version = version
    const exemplarsGone = this.#store.exemplars.removals.slice(this.#exemplarsGone)
    this.#exemplarsGone += exemplarsGone.length
    if (exemplarsGone.length > 0) yield { ...NOTHING, exemplarsGone }
    yield* this.#exemplarsNews()
  }

  /** Series that are not at their places any more. */
  *#goneSeries(): Generator<SamplesNews> {
    const { departures, all: columns } = this.#store.series
    if (this.#departures === departures) return
    this.#departures = departures
    const goneSeries: number[] = []
    for (const [place, told] of this.#series.entries()) {
      if (told === undefined || told === columns[place]) continue
      goneSeries.push(place)
      this.#series[place] = undefined
    }
    if (goneSeries.length > 0) yield { ...NOTHING, sources: { goneSeries } }
  }

  /** Names of sources that the reader has and the store has not; the reader lets go of them. */
  #goneSources(): readonly string[] {
    const now = new Set([...this.#store.sources.all, ...this.#store.sources.unreadable].map(({ name }) => name))
    const gone = [...this.#sources].filter((name) => !now.has(name))
    for (const name of gone) this.#sources.delete(name)
    return gone
  }

  /** As it is at one moment: what has come in the place of another source is told with its leaving, a series that has come since before its samples. */
  *#sourcesNews(): Generator<SamplesNews> {
    const gone = this.#goneSources()
    const all: readonly (SamplesSource | UnreadableSource)[] = [
      ...this.#store.sources.all,
      ...this.#store.sources.unreadable,
    ]
    const stored = all.flatMap((source) => (this.#sources.has(source.name) ? [] : (source.stored ?? [])))
    if (gone.length + stored.length === 0) return
    for (const { name } of stored) this.#sources.add(name)
    const series: SeriesNews[] = []
    for (const [place, known] of this.#store.series.all.entries())
      if (this.#isNew(place, known)) series.push(this.#newSeries(place, known, EMPTY))
    yield { ...NOTHING, series, sources: { gone, stored } }
  }

  *#exemplarsNews(): Generator<SamplesNews> {
    let exemplars: ExemplarNews[] = []
    for (const { before, place, exemplar } of this.#store.exemplars.since(this.#exemplars)) {
      // The rest is told when the reader knows of the series, and of what was taken out before it came.
      const isKnown = this.#series[place] === this.#store.series.all[place]
      if (!isKnown || this.#store.exemplars.removals.length > this.#exemplarsGone) break
      exemplars.push(exemplarNews(place, exemplar))
      this.#exemplars = before + 1
      if (exemplars.length < ITEMS_PER_CHECKPOINT) continue
      yield { ...NOTHING, exemplars }
      exemplars = []
    }
    if (exemplars.length > 0) yield { ...NOTHING, exemplars }
  }

  /** Of series that were not told before, too, by ascending places. */
  *#columnsNews(all: readonly (SampleColumns | undefined)[]): Generator<SamplesNews> {
    let series: SeriesNews[] = []
    let counts: number[] = []
    let histograms: SamplesNews['histograms'][number][] = []
    for (const [place, known] of this.#store.series.all.entries()) {
      const isNew = this.#isNew(place, known)
      // What has left meanwhile is told of the next time.
      if (isGone(known) && !isNew) continue
      const own = all[place]
      // Frozen columns may be those of a series that has left since.
      const columns = own?.labels === known.labels ? own : isNew ? EMPTY : undefined
      if (columns === undefined) continue
      const { count, layout } = columns
      const told = this.#counts[place]
      const isSame = !isNew && this.#layouts[place] === layout
      // What is empty here is empty there, whatever its layout.
      if (!isNew && told === count && (isSame || count === 0)) continue
      if (isNew) series.push(this.#newSeries(place, known, columns))
      else if (isSame) counts.push(place, count)
      else series.push({ ...columns.state, place, labels: undefined })
      const at = isSame ? (told ?? 0) : 0
      const list = columns.histogramsFrom(at)
      if (list !== undefined) histograms.push([place, at, list])
      columns.see()
      this.#counts[place] = count
      this.#layouts[place] = layout
      if (series.length + histograms.length < ITEMS_PER_CHECKPOINT) continue
      yield { series, counts: Uint32Array.from(counts), histograms, exemplars: [] }
      series = []
      counts = []
      histograms = []
    }
    if (series.length + counts.length + histograms.length > 0)
      yield { series, counts: Uint32Array.from(counts), histograms, exemplars: [] }
  }

  #isNew(place: number, known: SampleColumns): boolean {
    return isGone(known) ? place >= this.#series.length : this.#series[place] !== known
  }

  /** What is new at a place, with columns that are told of it. */
  #newSeries(place: number, known: SampleColumns, { state }: SampleColumns): SeriesNews {
    this.#series[place] = isGone(known) ? undefined : known
    this.#counts[place] = 0
    this.#layouts[place] = -1
    return { ...state, place, labels: isGone(known) ? 'gone' : [known.labels.names, known.labels.values] }
  }
}

function exemplarNews(place: number, { timeMs, value, labels }: Exemplar): ExemplarNews {
  return [place, timeMs, value, labels.names, labels.values]
}
