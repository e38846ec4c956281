import type { Exemplar } from '../exemplar.ts'
import type { SeriesOwner } from '../sample-columns.ts'
import { isInRange, type SampleChoice } from '../sample-choice.ts'

/** An exemplar of the series at a place of a store. */
export interface PlacedExemplar {
  readonly place: number
  readonly exemplar: Exemplar
}

/** With how many there have been before it. */
export type CountedExemplar = PlacedExemplar & { readonly before: number }

/** Exemplars of series, by their places, that were removed. */
export interface ExemplarRemoval extends Pick<SampleChoice, 'startMs' | 'endMs'> {
  readonly places: Uint32Array
}

export const MAX_EXEMPLARS = 100_000
/** What they take together at most. */
const MAX_BYTES = 64 * 1024 ** 2
/** What one takes beside the texts of its labels. */
const EXEMPLAR_BYTES = 160

function bytesOf({ labels }: Exemplar): number {
  return EXEMPLAR_BYTES + 2 * labels.chars
}

function isSame(a: Exemplar, b: Exemplar): boolean {
  return a.timeMs === b.timeMs && Object.is(a.value, b.value) && a.labels.equals(b.labels)
}

/** The last exemplars of all series of a store: new ones take the places of the oldest. */
export class ExemplarRing {
  /** `undefined` for those that were removed. */
  readonly #ring: (PlacedExemplar | undefined)[] = []
  readonly #lastOf = new Map<number, Exemplar>()
  readonly #owner: Pick<SeriesOwner, 'changes'>
  #removals: readonly ExemplarRemoval[] = []
  #added = 0
  /** How many have left for others. */
  #left = 0
  #bytes = 0

  constructor(owner: Pick<SeriesOwner, 'changes'>) {
    this.#owner = owner
  }

  /** How many there have been. */
  get added(): number {
    return this.#added
  }

  /** What `removeOf` removed, in a list that only grows: for readers in other threads. */
  get removals(): readonly ExemplarRemoval[] {
    return this.#removals
  }

  /** What they take of memory. */
  get bytes(): number {
    return this.#bytes
  }

  /** False for one that its series had last already. */
  add(place: number, exemplar: Exemplar): boolean {
    const last = this.#lastOf.get(place)
    if (last !== undefined && isSame(last, exemplar)) return false
    this.#bytes += bytesOf(exemplar)
    while (this.#added - this.#left >= MAX_EXEMPLARS || (this.#bytes > MAX_BYTES && this.#left < this.#added))
      this.#drop(this.#left++ % MAX_EXEMPLARS)
    this.#ring[this.#added++ % MAX_EXEMPLARS] = { place, exemplar }
    this.#lastOf.set(place, exemplar)
    this.#owner.changes++
    return true
  }

  #drop(at: number): void {
    const gone = this.#ring[at]
    if (gone === undefined) return
    this.#ring[at] = undefined
    this.#bytes -= bytesOf(gone.exemplar)
    if (this.#lastOf.get(gone.place) === gone.exemplar) this.#lastOf.delete(gone.place)
  }

  /** Removes the exemplars of series, by their places, in a range of times. */
  removeOf(series: ReadonlySet<number>, { startMs, endMs }: Pick<SampleChoice, 'startMs' | 'endMs'>): void {
    const places = new Set<number>()
    for (const { place, exemplar } of this.since(0))
      if (series.has(place) && isInRange(exemplar, { startMs, endMs })) places.add(place)
    if (places.size > 0) this.applyRemoval({ places: Uint32Array.from(places), startMs, endMs })
  }

  /** Likewise for a replica, which is told of the removal. */
  applyRemoval(removal: ExemplarRemoval): void {
    const places = new Set(removal.places)
    this.remove(({ place, exemplar }) => places.has(place) && isInRange(exemplar, removal))
    this.#removals = [...this.#removals, removal]
    this.#owner.changes++
  }

  /** Removes exemplars without remembering it: readers know it by other means. */
  remove(isGone: (placed: PlacedExemplar) => boolean): void {
    for (const [at, placed] of this.#ring.entries()) if (placed !== undefined && isGone(placed)) this.#drop(at)
  }

  /** Those behind the first `added`, as far as they are still there, in the order in which they came. */
  *since(added: number): Generator<CountedExemplar> {
    for (let i = Math.max(added, this.#left); i < this.#added; i++) {
      const entry = this.#ring[i % MAX_EXEMPLARS]
      if (entry !== undefined) yield { ...entry, before: i }
    }
  }
}
