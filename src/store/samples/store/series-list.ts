import { Labels, compareLabels } from '../../../data/index.ts'
import type { LabelMatcher, LabelPredicate } from '../../../plan/series/index.ts'
import { LabelIndex } from '../label-index.ts'
import { SampleColumns, type SeriesOwner } from '../sample-columns.ts'

/** Upper bounds for the memory of new samples and series in bytes, used to estimate it between two exact counts. */
export const mostGrowth = {
  /** Bytes for each change of a store's version, which is a sample or a series. */
  changeBytes: 64,
  /** Bytes for each series, besides its changes. */
  seriesBytes: 512,
  /** Bytes for each character of labels, which occurs in the label set and in its key. */
  labelCharBytes: 2,
} as const

/** The entry at the slots of removed series. */
const GONE = new SampleColumns(Labels.empty)

/** True if the slot of these columns has no series any more. */
export function isGone(columns: SampleColumns): boolean {
  return columns === GONE
}

/**
 * The series of a store by slot, label set and label index. The slot is the index in `all`. A series keeps its slot
 * until it is removed; then a new series may get the slot.
 */
export class SeriesList {
  readonly #owner: SeriesOwner
  readonly #index = new LabelIndex()
  readonly #all: SampleColumns[] = []
  /** Slots by the key of the label set. */
  readonly #slots = new Map<string, number>()
  /** Free slots for new series. */
  readonly #free: number[] = []
  /** The rank of each slot in the order of label sets; `undefined` after series were added. */
  #ranks: Int32Array | undefined
  #arrivals = 0
  #departures = 0
  #labelChars = 0

  constructor(owner: SeriesOwner) {
    this.#owner = owner
  }

  /** Series by slot; `isGone` is true at the slots of removed series. */
  get all(): readonly SampleColumns[] {
    return this.#all
  }

  get count(): number {
    return this.#slots.size
  }

  /** The number of additions of series, counting repeated ones. */
  get arrivals(): number {
    return this.#arrivals
  }

  /** The number of removals of series. */
  get departures(): number {
    return this.#departures
  }

  /** Bytes of memory of the labels. */
  get labelBytes(): number {
    return this.#labelChars * mostGrowth.labelCharBytes
  }

  slotOf(labels: Labels): number | undefined {
    return this.#slots.get(labels.key)
  }

  /** Adds a new series. A replica passes the slot that it has in the other thread's store. */
  add(labels: Labels, slot = this.#free.pop() ?? this.#all.length): SampleColumns {
    const series = new SampleColumns(labels, this.#owner, slot)
    this.#owner.changes++
    this.#index.add(labels, slot)
    this.#slots.set(labels.key, slot)
    this.#labelChars += labels.chars
    this.#arrivals++
    this.#all[slot] = series
    this.#ranks = undefined
    return series
  }

  /** Adds a slot without a series, for a replica. */
  addGone(): void {
    this.#all.push(GONE)
  }

  /**
   * Removes series by slot; returns the slots that had a series. Callers must not keep references to their columns.
   */
  remove(slots: Iterable<number>): ReadonlySet<number> {
    const known = new Set([...slots].filter((slot) => (this.#all[slot] ?? GONE) !== GONE))
    if (known.size === 0) return known
    this.#index.remove(known)
    for (const slot of known) {
      const { labels } = this.#all[slot] ?? GONE
      // In a replica the series may have been added again at another slot.
      if (this.#slots.get(labels.key) === slot) this.#slots.delete(labels.key)
      this.#labelChars -= labels.chars
      this.#all[slot] = GONE
    }
    this.#departures++
    this.#owner.changes++
    return known
  }

  /** Frees the slots of removed series for new ones. */
  reuse(slots: Iterable<number>): void {
    for (const slot of slots) this.#free.push(slot)
  }

  /** Returns the slots of the series that pass all matchers and the guard, in no order. */
  slots(matchers: readonly LabelMatcher[], guard?: LabelPredicate): readonly number[] {
    return this.#index.find(matchers, guard)
  }

  /** Returns the series that pass all matchers, in no order. */
  find(matchers: readonly LabelMatcher[]): readonly SampleColumns[] {
    return this.slots(matchers).flatMap((slot) => this.#all[slot] ?? [])
  }

  /** Returns the series at these slots, ordered by label set. */
  inOrder(slots: Iterable<number>): readonly SampleColumns[] {
    const ranks = (this.#ranks ??= this.#rank())
    return [...slots].sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0)).flatMap((slot) => this.#all[slot] ?? [])
  }

  #rank(): Int32Array {
    const order = [...this.#all.keys()]
    const labelsAt = (slot: number): Labels => (this.#all[slot] ?? GONE).labels
    order.sort((a, b) => compareLabels(labelsAt(a), labelsAt(b)))
    const ranks = new Int32Array(order.length)
    for (const [rank, slot] of order.entries()) ranks[slot] = rank
    return ranks
  }
}
