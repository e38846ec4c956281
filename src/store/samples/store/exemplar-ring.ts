import type { Exemplar } from '../exemplar.ts'
import type { SeriesOwner } from '../sample-columns.ts'
import { isInRange, type SampleChoice } from '../sample-choice.ts'

/** An exemplar and the slot of its series in the store. */
export interface SeriesExemplar {
  readonly slot: number
  readonly exemplar: Exemplar
}

/** An exemplar with the number of exemplars added before it. */
export type CountedExemplar = SeriesExemplar & { readonly before: number }

/** A removal of exemplars in a time range, by the slots of their series. */
export interface ExemplarRemoval extends Pick<SampleChoice, 'startMs' | 'endMs'> {
  readonly slots: Uint32Array
}

export const MAX_EXEMPLARS = 100_000
/** The most bytes of all exemplars together. */
const MAX_BYTES = 64 * 1024 ** 2
/** Bytes of an exemplar without the strings of its labels. */
const EXEMPLAR_BYTES = 160

function bytesOf({ labels }: Exemplar): number {
  return EXEMPLAR_BYTES + 2 * labels.chars
}

function isSame(a: Exemplar, b: Exemplar): boolean {
  return a.timeMs === b.timeMs && Object.is(a.value, b.value) && a.labels.equals(b.labels)
}

/** The latest exemplars of all series of a store; new ones replace the oldest. */
export class ExemplarRing {
  /** Exemplars; `undefined` for removed ones. */
  readonly #ring: (SeriesExemplar | undefined)[] = []
  readonly #lastOf = new Map<number, Exemplar>()
  readonly #owner: Pick<SeriesOwner, 'changes'>
  #removals: readonly ExemplarRemoval[] = []
  #added = 0
  /** The number of exemplars that were evicted to store newer ones. */
  #left = 0
  #bytes = 0

  constructor(owner: Pick<SeriesOwner, 'changes'>) {
    this.#owner = owner
  }

  /** The number of exemplars that were ever added. */
  get added(): number {
    return this.#added
  }

  /** The removals of `removeOf`, for readers in other threads; the list only grows. */
  get removals(): readonly ExemplarRemoval[] {
    return this.#removals
  }

  /** Bytes of memory of the exemplars. */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds an exemplar; returns false when it equals the last one of its series. */
  add(slot: number, exemplar: Exemplar): boolean {
    const last = this.#lastOf.get(slot)
    if (last !== undefined && isSame(last, exemplar)) return false
    this.#bytes += bytesOf(exemplar)
    while (this.#added - this.#left >= MAX_EXEMPLARS || (this.#bytes > MAX_BYTES && this.#left < this.#added))
      this.#drop(this.#left++ % MAX_EXEMPLARS)
    this.#ring[this.#added++ % MAX_EXEMPLARS] = { slot, exemplar }
    this.#lastOf.set(slot, exemplar)
    this.#owner.changes++
    return true
  }

  #drop(at: number): void {
    const gone = this.#ring[at]
    if (gone === undefined) return
    this.#ring[at] = undefined
    this.#bytes -= bytesOf(gone.exemplar)
    if (this.#lastOf.get(gone.slot) === gone.exemplar) this.#lastOf.delete(gone.slot)
  }

  /** Removes the exemplars of the series at these slots in a time range. */
  removeOf(series: ReadonlySet<number>, { startMs, endMs }: Pick<SampleChoice, 'startMs' | 'endMs'>): void {
    const slots = new Set<number>()
    for (const { slot, exemplar } of this.since(0))
      if (series.has(slot) && isInRange(exemplar, { startMs, endMs })) slots.add(slot)
    if (slots.size > 0) this.applyRemoval({ slots: Uint32Array.from(slots), startMs, endMs })
  }

  /** Applies a removal; also used by replicas, which receive it from the original store. */
  applyRemoval(removal: ExemplarRemoval): void {
    const slots = new Set(removal.slots)
    this.remove(({ slot, exemplar }) => slots.has(slot) && isInRange(exemplar, removal))
    this.#removals = [...this.#removals, removal]
    this.#owner.changes++
  }

  /** Removes exemplars without recording it, when readers learn of the removal otherwise. */
  remove(isGone: (entry: SeriesExemplar) => boolean): void {
    for (const [at, entry] of this.#ring.entries()) if (entry !== undefined && isGone(entry)) this.#drop(at)
  }

  /** Yields the exemplars after the first `added`, in order of arrival, as far as they still exist. */
  *since(added: number): Generator<CountedExemplar> {
    for (let i = Math.max(added, this.#left); i < this.#added; i++) {
      const entry = this.#ring[i % MAX_EXEMPLARS]
      if (entry !== undefined) yield { ...entry, before: i }
    }
  }
}
