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

const MAX_EXEMPLARS = 100_000

function isSame(a: Exemplar, b: Exemplar): boolean {
  return a.timeMs === b.timeMs && Object.is(a.value, b.value) && a.labels.equals(b.labels)
}

/** The last exemplars of all series of a store: a new one takes the place of the oldest. */
export class ExemplarRing {
  /** `undefined` for those that were removed. */
  readonly #ring: (PlacedExemplar | undefined)[] = []
  readonly #lastOf = new Map<number, Exemplar>()
  #added = 0

  /** How many there have been. */
  get added(): number {
    return this.#added
  }

  /** False for one that its series had last already. */
  add(place: number, exemplar: Exemplar): boolean {
    const last = this.#lastOf.get(place)
    if (last !== undefined && isSame(last, exemplar)) return false
    const at = this.#added % MAX_EXEMPLARS
    const oldest = this.#ring[at]
    if (oldest !== undefined && this.#lastOf.get(oldest.place) === oldest.exemplar) this.#lastOf.delete(oldest.place)
    this.#ring[at] = { place, exemplar }
    this.#lastOf.set(place, exemplar)
    this.#added++
    return true
  }

  /** Takes exemplars out. */
  remove(isGone: (placed: PlacedExemplar) => boolean): void {
    for (const [at, placed] of this.#ring.entries()) {
      if (placed === undefined || !isGone(placed)) continue
      this.#ring[at] = undefined
      if (this.#lastOf.get(placed.place) === placed.exemplar) this.#lastOf.delete(placed.place)
    }
  }

  /** Those behind the first `added`, as far as they are still there, in the order in which they came. */
  *since(added: number): Generator<PlacedExemplar> {
    for (let i = Math.max(added, this.#added - MAX_EXEMPLARS); i < this.#added; i++) {
      const entry = this.#ring[i % MAX_EXEMPLARS]
      if (entry !== undefined) yield entry
    }
  }
}
