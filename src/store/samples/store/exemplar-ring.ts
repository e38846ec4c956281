import type { Exemplar } from '../exemplar.ts'
import type { SeriesOwner } from '../sample-columns.ts'
import { isInRange, type SampleChoice } from '../sample-choice.ts'

/** An exemplar and the slot of its series in the store. */
export interface SeriesExemplar {
  readonly slot: number
  readonly exemplar: Exemplar
}

/** An exemplar, and the number of exemplars that were added before it. */
export type CountedExemplar = SeriesExemplar & { readonly before: number }

/** A removal of exemplars: the slots of their series and a time range. */
export interface ExemplarRemoval extends Pick<SampleChoice, 'startMs' | 'endMs'> {
  readonly slots: Uint32Array
}

export const MAX_EXEMPLARS = 100_000
/** Maximum size of all exemplars together, bytes. */
const MAX_BYTES = 64 * 1024 ** 2
/** Size of an exemplar without the strings of its labels, bytes. */
const EXEMPLAR_BYTES = 160

function bytesOf({ labels }: Exemplar): number {
  return EXEMPLAR_BYTES + 2 * labels.chars
}

function isSame(a: Exemplar, b: Exemplar): boolean {
  return a.timeMs === b.timeMs && Object.is(a.value, b.value) && a.labels.equals(b.labels)
}

/** The latest exemplars of all series of a store. New exemplars replace the oldest. */
export class ExemplarRing {
  /** The exemplars; `undefined` for removed ones. Exemplar `i` in order of arrival is at `i % MAX_EXEMPLARS`. */
  readonly #ring: (SeriesExemplar | undefined)[] = []
  readonly #lastOf = new Map<number, Exemplar>()
  readonly #owner: Pick<SeriesOwner, 'changes'>
  #removals: readonly ExemplarRemoval[] = []
  #added = 0
  /** Number of exemplars that were evicted by newer ones. */
  #left = 0
  #bytes = 0

  constructor(owner: Pick<SeriesOwner, 'changes'>) {
    this.#owner = owner
  }

  /** Number of exemplars that were ever added. */
  get added(): number {
    return this.#added
  }

  /** All removals since the start, for readers in other threads. */
  get removals(): readonly ExemplarRemoval[] {
    return this.#removals
  }

  /** Bytes of memory of the exemplars. */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds an exemplar; returns false if it equals the last exemplar of its series. */
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

  /** Removes the exemplars of some series, given by slot, in a time range, and records the removal. */
  removeOf(series: ReadonlySet<number>, { startMs, endMs }: Pick<SampleChoice, 'startMs' | 'endMs'>): void {
    const slots = new Set<number>()
    for (const { slot, exemplar } of this.since(0))
      if (series.has(slot) && isInRange(exemplar, { startMs, endMs })) slots.add(slot)
    if (slots.size > 0) this.applyRemoval({ slots: Uint32Array.from(slots), startMs, endMs })
  }

  /** Applies and records a removal. Replicas call this with removals of the original store. */
  applyRemoval(removal: ExemplarRemoval): void {
    const slots = new Set(removal.slots)
    this.remove(({ slot, exemplar }) => slots.has(slot) && isInRange(exemplar, removal))
    this.#removals = [...this.#removals, removal]
    this.#owner.changes++
  }

  /** Removes exemplars without recording the removal. For removals that readers learn of in another way. */
  remove(isGone: (entry: SeriesExemplar) => boolean): void {
    for (const [at, entry] of this.#ring.entries()) if (entry !== undefined && isGone(entry)) this.#drop(at)
  }

  /** Yields the existing exemplars after the first `added` ones, in order of arrival. */
  *since(added: number): Generator<CountedExemplar> {
    for (let i = Math.max(added, this.#left); i < this.#added; i++) {
      const entry = this.#ring[i % MAX_EXEMPLARS]
      if (entry !== undefined) yield { ...entry, before: i }
    }
  }
}
