import type { Labels } from '../../data/index.ts'

/** One observation that stands for others, such as the trace of a slow request. */
export interface Exemplar {
  readonly labels: Labels
  readonly value: number
  /** Unix milliseconds. */
  readonly timeMs: number
}

/** An exemplar of the series at a place of a store. */
export interface PlacedExemplar {
  readonly place: number
  readonly exemplar: Exemplar
}

/** With how many there have been before it. */
export type CountedExemplar = PlacedExemplar & { readonly before: number }

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
  #added = 0
  /** How many have left for others. */
  #left = 0
  #bytes = 0

  /** How many there have been. */
  get added(): number {
    return this.#added
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
    return true
  }

  #drop(at: number): void {
    const gone = this.#ring[at]
    if (gone === undefined) return
    this.#ring[at] = undefined
    this.#bytes -= bytesOf(gone.exemplar)
    if (this.#lastOf.get(gone.place) === gone.exemplar) this.#lastOf.delete(gone.place)
  }

  /** Takes exemplars out. */
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
