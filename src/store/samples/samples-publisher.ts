import type { Histogram } from '../../data/index.ts'
import type { ColumnsState, SampleColumns } from './sample-columns.ts'
import type { PlacedExemplar } from './exemplar-ring.ts'
import type { SampleStore } from './sample-store.ts'

/** A series whose columns are not those that were told before, or that was not told before. */
interface SeriesNews extends ColumnsState {
  /** Its place among all series. */
  readonly place: number
  /** Names and values of the labels, of a new series. */
  readonly labels: readonly [names: readonly string[], values: readonly string[]] | undefined
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

/** Tells one reader in another thread of a store of samples: each time what is new since the last. */
export class SamplesPublisher {
  readonly #store: SampleStore
  #version = 0
  #exemplars = 0
  readonly #counts: number[] = []
  readonly #layouts: number[] = []

  constructor(store: SampleStore) {
    this.#store = store
  }

  /** The pieces of news, all of which the reader must have before it reads again; to be read to the end. */
  *news(): Generator<SamplesNews> {
    const { version } = this.#store
    if (this.#version === version) return
    let series: SeriesNews[] = []
    let counts: number[] = []
    let histograms: SamplesNews['histograms'][number][] = []
    for (const [place, columns] of this.#store.columns.entries()) {
      const told = this.#counts[place]
      const { count, layout } = columns
      const isSame = this.#layouts[place] === layout
      if (isSame && told === count) continue
      if (isSame) counts.push(place, count)
      else series.push({ ...columns.state, place, labels: told === undefined ? labelsOf(columns) : undefined })
      const at = isSame ? (told ?? 0) : 0
      const list = columns.histogramsFrom(at)
      if (list !== undefined) histograms.push([place, at, list])
      this.#counts[place] = count
      this.#layouts[place] = layout
      if (series.length + histograms.length < PIECE_SERIES) continue
      yield { series, counts: Uint32Array.from(counts), histograms, exemplars: [] }
      series = []
      counts = []
      histograms = []
    }
    this.#version = version
    const { exemplarRing } = this.#store
    let exemplars: ExemplarNews[] = []
    for (const entry of exemplarRing.since(this.#exemplars)) {
      exemplars.push(exemplarNews(entry))
      if (exemplars.length < PIECE_EXEMPLARS) continue
      yield { series, counts: Uint32Array.from(counts), histograms, exemplars }
      series = []
      counts = []
      histograms = []
      exemplars = []
    }
    this.#exemplars = exemplarRing.added
    yield { series, counts: Uint32Array.from(counts), histograms, exemplars }
  }
}

function exemplarNews({ place, exemplar: { timeMs, value, labels } }: PlacedExemplar): ExemplarNews {
  return [place, timeMs, value, labels.names, labels.values]
}

function labelsOf({ labels }: SampleColumns): SeriesNews['labels'] {
  return [labels.names, labels.values]
}
