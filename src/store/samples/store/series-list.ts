import { Labels, compareLabels } from '../../../data/index.ts'
import type { LabelMatcher, LabelPredicate } from '../../../plan/series/index.ts'
import { LabelIndex } from '../label-index.ts'
import { SampleColumns, type SeriesOwner } from '../sample-columns.ts'

/** Upper bounds of the memory that new samples and series take, bytes; used to estimate it between two exact counts. */
export const mostGrowth = {
  /** Per change of a store's version, which is a sample or a series. */
  changeBytes: 64,
  /** Per series, besides its changes. */
  seriesBytes: 512,
  /** Per character of labels: it is in the label set and in its key. */
  labelCharBytes: 2,
} as const

/** Stands at the places of series that have left. */
const GONE = new SampleColumns(Labels.empty)

/** Whether no series is at this place any more. */
export function isGone(columns: SampleColumns): boolean {
  return columns === GONE
}

/** The series of a store by place, label set and label index. A series keeps its place until it leaves; then a new one may get it. */
export class SeriesList {
  readonly #owner: SeriesOwner
  readonly #index = new LabelIndex()
  readonly #all: SampleColumns[] = []
  /** By key of the label set. */
  readonly #places = new Map<string, number>()
  /** Places for the next new series. */
  readonly #free: number[] = []
  /** By place, the rank of each series in the order of label sets; `undefined` once series were added. */
  #ranks: Int32Array | undefined
  #arrivals = 0
  #departures = 0
  #labelChars = 0

  constructor(owner: SeriesOwner) {
    this.#owner = owner
  }

  /** By place; `isGone` holds for places of series that have left. */
  get all(): readonly SampleColumns[] {
    return this.#all
  }

  get count(): number {
    return this.#places.size
  }

  /** How many series have been added, each time that they were. */
  get arrivals(): number {
    return this.#arrivals
  }

  /** How often series have been removed. */
  get departures(): number {
    return this.#departures
  }

  /** Memory of the labels. */
  get labelBytes(): number {
    return this.#labelChars * mostGrowth.labelCharBytes
  }

  placeOf(labels: Labels): number | undefined {
    return this.#places.get(labels.key)
  }

  /** Adds a series that is new. A replica says at which place: that of the series in the other thread's store. */
  add(labels: Labels, place = this.#free.pop() ?? this.#all.length): SampleColumns {
    const series = new SampleColumns(labels, this.#owner, place)
    this.#owner.changes++
    this.#index.add(labels, place)
    this.#places.set(labels.key, place)
    this.#labelChars += labels.chars
    this.#arrivals++
    this.#all[place] = series
    this.#ranks = undefined
    return series
  }

  /** Adds a place without series, for a replica. */
  addGone(): void {
    this.#all.push(GONE)
  }

  /** Removes series by place; gives those places where there was one. Callers must not hold on to their columns. */
  remove(places: Iterable<number>): ReadonlySet<number> {
    const known = new Set([...places].filter((place) => (this.#all[place] ?? GONE) !== GONE))
    if (known.size === 0) return known
    this.#index.remove(known)
    for (const place of known) {
      const { labels } = this.#all[place] ?? GONE
      // In a replica the series may have come again at another place.
      if (this.#places.get(labels.key) === place) this.#places.delete(labels.key)
      this.#labelChars -= labels.chars
      this.#all[place] = GONE
    }
    this.#departures++
    this.#owner.changes++
    return known
  }

  /** New series get these places, whose series were removed. */
  reuse(places: Iterable<number>): void {
    for (const place of places) this.#free.push(place)
  }

  /** Places of the series that pass all matchers and the guard, in no order. */
  places(matchers: readonly LabelMatcher[], guard?: LabelPredicate): readonly number[] {
    return this.#index.find(matchers, guard)
  }

  /** The series that pass all matchers, in no order. */
  find(matchers: readonly LabelMatcher[]): readonly SampleColumns[] {
    return this.places(matchers).flatMap((place) => this.#all[place] ?? [])
  }

  /** The series at places, by label set. */
  inOrder(places: Iterable<number>): readonly SampleColumns[] {
    const ranks = (this.#ranks ??= this.#rank())
    return [...places].sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0)).flatMap((place) => this.#all[place] ?? [])
  }

  #rank(): Int32Array {
    const order = [...this.#all.keys()]
    const labelsAt = (place: number): Labels => (this.#all[place] ?? GONE).labels
    order.sort((a, b) => compareLabels(labelsAt(a), labelsAt(b)))
    const ranks = new Int32Array(order.length)
    for (const [rank, place] of order.entries()) ranks[place] = rank
    return ranks
  }
}
