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

/** A series that the reader does not have at this slot, or whose columns were replaced. */
interface SeriesNews extends ColumnsState {
  /** The index of the series in its store. */
  readonly slot: number
  /**
   * Label names and values of a new series; `gone` if the slot has no series any more; `undefined` for a series that
   * the reader has.
   */
  readonly labels: readonly [names: readonly string[], values: readonly string[]] | 'gone' | undefined
}

/**
 * Changes of a sample store for a reader in another thread, since the previous delta. Columns are shared by reference
 * and sent with their counts. Histograms are objects and are copied.
 */
export interface SamplesDelta {
  readonly series: readonly SeriesNews[]
  /** Pairs of slot and count, for series whose columns only grew. */
  readonly counts: Uint32Array
  readonly histograms: readonly (readonly [slot: number, at: number, list: readonly (Histogram | undefined)[]])[]
  /** New exemplars; the reader already has their series. */
  readonly exemplars: readonly ExemplarNews[]
  /** Removals of exemplars that the reader already has. Exemplars added later are in later deltas. */
  readonly exemplarsGone?: readonly ExemplarRemoval[]
  /** Changes of sources. The reader applies them after the changes of series in the same delta. */
  readonly sources?: SourcesNews
}

/** Opens a sample file that another thread wrote. Throws SluiceError `durable/…` if the file cannot be read. */
export type OpenSamples = (stored: StoredSamples) => SamplesSource

interface SourcesNews {
  /**
   * Present if the columns were frozen and became a source. `order` is the order of this source; `undefined` if the
   * source was already replaced, so that other deltas have its samples.
   */
  readonly frozen?: { readonly order: number | undefined }
  /** The names of removed sources. */
  readonly gone?: readonly string[]
  readonly stored?: readonly StoredSamples[]
  /** The slots whose series was removed. */
  readonly goneSeries?: readonly number[]
}

type ExemplarNews = readonly [
  slot: number,
  timeMs: number,
  value: number,
  names: readonly string[],
  values: readonly string[],
]

const NOTHING: SamplesDelta = { series: [], counts: new Uint32Array(0), histograms: [], exemplars: [] }
const EMPTY = new SampleColumns(Labels.empty)

/**
 * Publishes the changes of a sample store to one reader in another thread. Between two deltas a series may be removed
 * and its slot reused, so a slot is published together with the series that it stands for.
 */
export class SamplesPublisher {
  readonly #store: SampleStore
  #version = 0
  #exemplars = 0
  #freezes = 0
  #departures = 0
  #exemplarsGone = 0
  /** The names of the sources that the reader has. */
  readonly #sources = new Set<string>()
  /** For each slot, the series that the reader has; `undefined` if it has none. */
  readonly #series: (SampleColumns | undefined)[] = []
  readonly #counts: number[] = []
  readonly #layouts: number[] = []

  constructor(store: SampleStore) {
    this.#store = store
  }

  /**
   * Yields the deltas since the last call. The generator must be consumed, and the reader must apply all deltas before
   * its next read.
   */
  *news(): Generator<SamplesDelta> {
    const { version } = this.#store
    const { all: sources, freezes } = this.#store.sources
    if (this.#version === version) return
    // Comes first: a series that was removed and added again has another slot.
    yield* this.#goneSeries()
    // Sources are removed before their replacement is added, which may have the same order.
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
    // Columns come before sources, so that new series get the same slots as in this store.
    yield* this.#columnsNews(this.#store.series.all)
    yield* this.#sourcesNews()
    this.#version = version
    const exemplarsGone = this.#store.exemplars.removals.slice(this.#exemplarsGone)
    this.#exemplarsGone += exemplarsGone.length
    if (exemplarsGone.length > 0) yield { ...NOTHING, exemplarsGone }
    yield* this.#exemplarsNews()
  }

  /** Yields the slots whose series was removed or replaced. */
  *#goneSeries(): Generator<SamplesDelta> {
    const { departures, all: columns } = this.#store.series
    if (this.#departures === departures) return
    this.#departures = departures
    const goneSeries: number[] = []
    for (const [slot, sent] of this.#series.entries()) {
      if (sent === undefined || sent === columns[slot]) continue
      goneSeries.push(slot)
      this.#series[slot] = undefined
    }
    if (goneSeries.length > 0) yield { ...NOTHING, sources: { goneSeries } }
  }

  /** Returns the names of the sources that the reader has but the store has not, and records their removal. */
  #goneSources(): readonly string[] {
    const now = new Set([...this.#store.sources.all, ...this.#store.sources.unreadable].map(({ name }) => name))
    const gone = [...this.#sources].filter((name) => !now.has(name))
    for (const name of gone) this.#sources.delete(name)
    return gone
  }

  /**
   * Yields all changes of sources in one delta, so that a source and its replacement change together. The delta also
   * has the new series of these sources.
   */
  *#sourcesNews(): Generator<SamplesDelta> {
    const gone = this.#goneSources()
    const all: readonly (SamplesSource | UnreadableSource)[] = [
      ...this.#store.sources.all,
      ...this.#store.sources.unreadable,
    ]
    const stored = all.flatMap((source) => (this.#sources.has(source.name) ? [] : (source.stored ?? [])))
    if (gone.length + stored.length === 0) return
    for (const { name } of stored) this.#sources.add(name)
    const series: SeriesNews[] = []
    for (const [slot, known] of this.#store.series.all.entries())
      if (this.#isNew(slot, known)) series.push(this.#newSeries(slot, known, EMPTY))
    yield { ...NOTHING, series, sources: { gone, stored } }
  }

  *#exemplarsNews(): Generator<SamplesDelta> {
    let exemplars: ExemplarNews[] = []
    for (const { before, slot, exemplar } of this.#store.exemplars.since(this.#exemplars)) {
      // The remaining exemplars follow once the reader has their series and has applied all earlier removals.
      const isKnown = this.#series[slot] === this.#store.series.all[slot]
      if (!isKnown || this.#store.exemplars.removals.length > this.#exemplarsGone) break
      exemplars.push(exemplarNews(slot, exemplar))
      this.#exemplars = before + 1
      if (exemplars.length < ITEMS_PER_CHECKPOINT) continue
      yield { ...NOTHING, exemplars }
      exemplars = []
    }
    if (exemplars.length > 0) yield { ...NOTHING, exemplars }
  }

  /** Yields changed and new columns, in ascending order of slots. */
  *#columnsNews(all: readonly (SampleColumns | undefined)[]): Generator<SamplesDelta> {
    let series: SeriesNews[] = []
    let counts: number[] = []
    let histograms: SamplesDelta['histograms'][number][] = []
    for (const [slot, known] of this.#store.series.all.entries()) {
      const isNew = this.#isNew(slot, known)
      // A series removed during this call is published by the next call.
      if (isGone(known) && !isNew) continue
      const own = all[slot]
      // The slot of frozen columns may have another series now.
      const columns = own?.labels === known.labels ? own : isNew ? EMPTY : undefined
      if (columns === undefined) continue
      const { count, layout } = columns
      const sent = this.#counts[slot]
      const isSame = !isNew && this.#layouts[slot] === layout
      // If columns are empty here and in the reader, their layout does not matter.
      if (!isNew && sent === count && (isSame || count === 0)) continue
      if (isNew) series.push(this.#newSeries(slot, known, columns))
      else if (isSame) counts.push(slot, count)
      else series.push({ ...columns.state, slot, labels: undefined })
      const at = isSame ? (sent ?? 0) : 0
      const list = columns.histogramsFrom(at)
      if (list !== undefined) histograms.push([slot, at, list])
      columns.see()
      this.#counts[slot] = count
      this.#layouts[slot] = layout
      if (series.length + histograms.length < ITEMS_PER_CHECKPOINT) continue
      yield { series, counts: Uint32Array.from(counts), histograms, exemplars: [] }
      series = []
      counts = []
      histograms = []
    }
    if (series.length + counts.length + histograms.length > 0)
      yield { series, counts: Uint32Array.from(counts), histograms, exemplars: [] }
  }

  #isNew(slot: number, known: SampleColumns): boolean {
    return isGone(known) ? slot >= this.#series.length : this.#series[slot] !== known
  }

  /**
   * Records that the reader gets a series at a slot, and returns its delta. The last parameter has the columns to
   * publish.
   */
  #newSeries(slot: number, known: SampleColumns, { state }: SampleColumns): SeriesNews {
    this.#series[slot] = isGone(known) ? undefined : known
    this.#counts[slot] = 0
    this.#layouts[slot] = -1
    return { ...state, slot, labels: isGone(known) ? 'gone' : [known.labels.names, known.labels.values] }
  }
}

function exemplarNews(slot: number, { timeMs, value, labels }: Exemplar): ExemplarNews {
  return [slot, timeMs, value, labels.names, labels.values]
}
