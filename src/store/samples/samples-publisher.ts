import { Labels, type Histogram } from '../../data/index.ts'
import { SampleColumns, type ColumnsState } from './sample-columns.ts'
import type { PlacedExemplar } from './exemplar-ring.ts'
import { FrozenSamples, isGone, type ExemplarRemoval, type SampleStore, type UnreadableSource } from './sample-store.ts'
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

/** Series of one message; naming a new one takes about 10 µs. */
const PIECE_SERIES = 200
/** Exemplars of one message. */
const PIECE_EXEMPLARS = 1000

const NOTHING: SamplesNews = { series: [], counts: new Uint32Array(0), histograms: [], exemplars: [] }
const EMPTY = new SampleColumns(Labels.empty)

/** Tells one reader in another thread of a store of samples: each time what is new since the last. */
export class SamplesPublisher {
  readonly #store: SampleStore
  #version = 0
  #exemplars = 0
  #freezes = 0
  #gone = 0
  #exemplarsGone = 0
  /** Names of sources that the reader has. */
  readonly #told = new Set<string>()
  readonly #counts: number[] = []
  readonly #layouts: number[] = []

  constructor(store: SampleStore) {
    this.#store = store
  }

  /** The pieces of news, all of which the reader must have before it reads again; to be read to the end. */
  *news(): Generator<SamplesNews> {
    const { version, sources, freezes } = this.#store
    if (this.#version === version) return
    // First, since one that has come again has another place.
    const gone = this.#store.gone.slice(this.#gone)
    this.#gone += gone.length
    if (gone.length > 0) yield { ...NOTHING, sources: { goneSeries: gone.filter((place) => place in this.#counts) } }
    // Before what has come in the place of one of them, of the same order.
    yield* this.#goneSources()
    for (let number = this.#freezes + 1; number <= freezes; number++) {
      const frozen = sources.find((source) => source instanceof FrozenSamples && source.number === number)
      if (frozen instanceof FrozenSamples) yield* this.#columnsNews(frozen.columns)
      this.#counts.fill(0)
      this.#layouts.fill(-1)
      yield { ...NOTHING, sources: { frozen: { order: frozen?.order } } }
      if (frozen !== undefined) this.#told.add(frozen.name)
    }
    this.#freezes = freezes
    // Before sources, so that series have the places that they have here.
    yield* this.#columnsNews(this.#store.columns)
    yield* this.#storedSources()
    this.#version = version
    const { exemplarRing } = this.#store
    const exemplarsGone = this.#store.exemplarsGone.slice(this.#exemplarsGone)
    this.#exemplarsGone += exemplarsGone.length
    if (exemplarsGone.length > 0) yield { ...NOTHING, exemplarsGone }
    let exemplars: ExemplarNews[] = []
    for (const entry of exemplarRing.since(this.#exemplars)) {
      exemplars.push(exemplarNews(entry))
      if (exemplars.length < PIECE_EXEMPLARS) continue
      yield { ...NOTHING, exemplars }
      exemplars = []
    }
    this.#exemplars = exemplarRing.added
    if (exemplars.length > 0) yield { ...NOTHING, exemplars }
  }

  get #sources(): readonly (SamplesSource | UnreadableSource)[] {
    return [...this.#store.sources, ...this.#store.unreadable]
  }

  #goneSources(): readonly SamplesNews[] {
    const now = new Set(this.#sources.map(({ name }) => name))
    const gone = [...this.#told].filter((name) => !now.has(name))
    for (const name of gone) this.#told.delete(name)
    return gone.length === 0 ? [] : [{ ...NOTHING, sources: { gone } }]
  }

  #storedSources(): readonly SamplesNews[] {
    const stored = this.#sources.flatMap((source) => (this.#told.has(source.name) ? [] : (source.stored ?? [])))
    for (const { name } of stored) this.#told.add(name)
    return stored.length === 0 ? [] : [{ ...NOTHING, sources: { stored } }]
  }

  /** Of series that were not told before, too, whose places follow each other. */
  *#columnsNews(all: readonly (SampleColumns | undefined)[]): Generator<SamplesNews> {
    let series: SeriesNews[] = []
    let counts: number[] = []
    let histograms: SamplesNews['histograms'][number][] = []
    for (const [place, known] of this.#store.columns.entries()) {
      const told = this.#counts[place]
      const columns = all[place] ?? (told === undefined ? EMPTY : undefined)
      if (columns === undefined || (told !== undefined && isGone(known))) continue
      const { count, layout } = columns
      const isSame = this.#layouts[place] === layout
      // What is empty here is empty there, whatever its layout.
      if (told === count && (isSame || count === 0)) continue
      if (isSame) counts.push(place, count)
      else series.push({ ...columns.state, place, labels: told === undefined ? labelsOf(known) : undefined })
      const at = isSame ? (told ?? 0) : 0
      const list = columns.histogramsFrom(at)
      if (list !== undefined) histograms.push([place, at, list])
      columns.see()
      this.#counts[place] = count
      this.#layouts[place] = layout
      if (series.length + histograms.length < PIECE_SERIES) continue
      yield { series, counts: Uint32Array.from(counts), histograms, exemplars: [] }
      series = []
      counts = []
      histograms = []
    }
    if (series.length + counts.length + histograms.length > 0)
      yield { series, counts: Uint32Array.from(counts), histograms, exemplars: [] }
  }
}

function exemplarNews({ place, exemplar: { timeMs, value, labels } }: PlacedExemplar): ExemplarNews {
  return [place, timeMs, value, labels.names, labels.values]
}

function labelsOf(columns: SampleColumns): SeriesNews['labels'] {
  return isGone(columns) ? 'gone' : [columns.labels.names, columns.labels.values]
}
