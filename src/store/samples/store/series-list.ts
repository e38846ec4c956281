import { Labels, compareLabels } from '../../../data/index.ts'
import type { LabelMatcher, LabelPredicate } from '../../../plan/series/index.ts'
import { LabelIndex } from '../label-index.ts'
import { SampleColumns, type SeriesOwner } from '../sample-columns.ts'

/** Upper bounds for the growth of memory, used to estimate it between two exact measurements. */
export const mostGrowth = {
  /** Bytes per change of a store's version, such as a sample or a series. */
  changeBytes: 64,
  /** Bytes per new series, in addition to its changes. */
  seriesBytes: 512,
  /** Bytes per character of labels. A character occurs in the label set and in its key. */
  labelCharBytes: 2,
} as const

/** Stands for a removed series in the list of series. */
const GONE = new SampleColumns(Labels.empty)

/** True if a slot with these columns has no series any more. */
export function isGone(columns: SampleColumns): boolean {
  return columns === GONE
}

/**
 * The series of a store, found by slot, label set or labels. A slot is an index in `all`. A series keeps its slot until
 * it is removed; then a new series may get the slot.
 */
export class SeriesList {
  readonly #owner: SeriesOwner
  readonly #index = new LabelIndex()
  readonly #all: SampleColumns[] = []
  /** The slot of each series, by the key of its label set. */
  readonly #slots = new Map<string, number>()
  /** Slots that new series may get. */
  readonly #free: number[] = []
  /** The rank of each slot in the order of label sets; `undefined` until computed again after series were added. */
  #ranks: Int32Array | undefined
  #arrivals = 0
  #departures = 0
  #labelChars = 0

  constructor(owner: SeriesOwner) {
    this.#owner = owner
  }

  /** Series by slot. `isGone` is true for slots whose series was removed. */
  get all(): readonly SampleColumns[] {
    return this.#all
  }

  get count(): number {
    return this.#slots.size
  }

  /** Number of times that a series was added. A series that was removed and added again counts twice. */
  get arrivals(): number {
    return this.#arrivals
  }

  /** Number of times that a series was removed. */
  get departures(): number {
    return this.#departures
  }

  /** Memory of the labels of all series, bytes. */
  get labelBytes(): number {
    return this.#labelChars * mostGrowth.labelCharBytes
  }

  slotOf(labels: Labels): number | undefined {
    return this.#slots.get(labels.key)
  }

  /** Adds a new series and returns its columns. A replica passes the slot that the series has in the original store. */
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

  /** Adds a slot without a series. Used by replicas. */
  addGone(): void {
    this.#all.push(GONE)
  }

  /**
   * Removes series by slot; returns the slots that had a series. Callers must not use the columns of these series
   * afterwards.
   */
  remove(slots: Iterable<number>): ReadonlySet<number> {
    const known = new Set([...slots].filter((slot) => (this.#all[slot] ?? GONE) !== GONE))
    if (known.size === 0) return known
    this.#index.remove(known)
    for (const slot of known) {
      const { labels } = this.#all[slot] ?? GONE
      // In a replica, the same series may already be at another slot.
      if (this.#slots.get(labels.key) === slot) this.#slots.delete(labels.key)
      this.#labelChars -= labels.chars
      this.#all[slot] = GONE
    }
    this.#departures++
    this.#owner.changes++
    return known
  }

  /** Makes the slots of removed series available to new ones. */
  reuse(slots: Iterable<number>): void {
    for (const slot of slots) this.#free.push(slot)
  }

  /** Returns the slots of the series that pass all matchers and the guard, in no particular order. */
  slots(matchers: readonly LabelMatcher[], guard?: LabelPredicate): readonly number[] {
    return this.#index.find(matchers, guard)
  }

  /** Returns the series that pass all matchers, in no particular order. */
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
