import type { Column } from '../../../data/index.ts'
import type { Slice } from '../scan/source.ts'
import type { Lane } from './lane.ts'

/** Pairs of numbers up to this product are looked up in a table instead of a map. */
const TABLE_SIZE = 2 ** 22
const LANE_BASE = 2 ** 26

/** Numbers pairs of numbers in order of appearance. */
class Pairing {
  readonly left: number[] = []
  readonly right: number[] = []
  readonly #table: Int32Array | undefined
  readonly #width: number
  readonly #map = new Map<number, number>()

  /** Sizes are given when both sides stay below them. */
  constructor(leftSize: number | undefined, rightSize: number | undefined) {
    const size = leftSize === undefined || rightSize === undefined ? Infinity : leftSize * rightSize
    this.#table = size <= TABLE_SIZE ? new Int32Array(size).fill(-1) : undefined
    this.#width = this.#table === undefined ? LANE_BASE : (rightSize ?? LANE_BASE)
  }

  get count(): number {
    return this.left.length
  }

  #add(left: number, right: number): number {
    this.left.push(left)
    this.right.push(right)
    return this.left.length - 1
  }

  /** Replaces each `left[i]` by the number of its pair with `right[i]`. */
  combine(left: Uint32Array, right: Uint32Array, length: number): void {
    const width = this.#width
    const table = this.#table
    if (table !== undefined) {
      for (let i = 0; i < length; i++) {
        const pair = left[i] * width + right[i]
        let id = table[pair]
        if (id === -1) {
          id = this.#add(left[i], right[i])
          table[pair] = id
        }
        left[i] = id
      }
      return
    }
    for (let i = 0; i < length; i++) {
      const pair = left[i] * width + right[i]
      let id = this.#map.get(pair)
      if (id === undefined) {
        id = this.#add(left[i], right[i])
        this.#map.set(pair, id)
      }
      left[i] = id
    }
  }
}

/** Gives each row of a slice the number of its group. */
export class GroupNumbering {
  readonly lanes: readonly Lane[]
  readonly #pairings: (Pairing | undefined)[] = []
  #ids = new Uint32Array(0)
  #other = new Uint32Array(0)

  constructor(lanes: readonly Lane[]) {
    this.lanes = lanes
  }

  /** All group numbers are below this. With one key some of them may have no rows. */
  get bound(): number {
    if (this.lanes.length === 0) return 1
    if (this.lanes.length === 1) return this.lanes[0].size
    return this.#pairings[this.lanes.length - 2]?.count ?? 0
  }

  /** The group of each row; the array is used again for the next slice. */
  ids(slice: Slice): Uint32Array {
    const { length } = slice
    if (this.#ids.length < length) {
      this.#ids = new Uint32Array(Math.max(length, this.#ids.length * 2))
      this.#other = new Uint32Array(this.#ids.length)
    }
    const [first, ...rest] = this.lanes
    if (first === undefined) return this.#ids.fill(0, 0, length)
    first.fill(slice, this.#ids)
    rest.forEach((lane, step) => {
      lane.fill(slice, this.#other)
      this.#pairing(step, lane).combine(this.#ids, this.#other, length)
    })
    return this.#ids
  }

  #pairing(step: number, lane: Lane): Pairing {
    const known = this.#pairings[step]
    if (known !== undefined) return known
    const [first] = this.lanes
    const left = step === 0 ? (first.isFixed ? first.size : undefined) : this.#boundOfStep(step)
    const made = new Pairing(left, lane.isFixed ? lane.size : undefined)
    this.#pairings[step] = made
    return made
  }

  /** At most so many pairs can come out of the steps before. */
  #boundOfStep(step: number): number | undefined {
    let bound = 1
    for (const lane of this.lanes.slice(0, step + 1)) {
      if (!lane.isFixed) return undefined
      bound *= lane.size
    }
    return bound
  }

  /** For each of these groups, the number that the lane gave. */
  laneIds(lane: number, groups: Uint32Array): Uint32Array {
    let at = groups
    for (let step = this.lanes.length - 2; step >= 0; step--) {
      const pairing = this.#pairings[step]
      if (pairing === undefined) return new Uint32Array(groups.length)
      if (step === lane - 1) return Uint32Array.from(at, (group) => pairing.right[group])
      at = Uint32Array.from(at, (group) => pairing.left[group])
    }
    return at
  }

  keyColumn(lane: number, groups: Uint32Array): Column {
    return this.lanes[lane].values(this.laneIds(lane, groups))
  }

  /** The groups in the order of the answer. */
  sorted(groups: Uint32Array): Uint32Array {
    if (this.lanes.length === 0 || groups.length < 2) return groups
    const ids = this.lanes.map((_, lane) => this.laneIds(lane, groups))
    const places = this.lanes.map((lane, index) => {
      const of = lane.places(ids[index])
      return Uint32Array.from(ids[index], (id) => of[id])
    })
    const spans = places.map((of) => of.reduce((max, place) => Math.max(max, place), 0) + 1)
    const total = spans.reduce((product, span) => product * span, groups.length)
    if (total < Number.MAX_SAFE_INTEGER) {
      // Places of all keys and the group's own index in one number: native sorting then gives the order.
      const keys = new Float64Array(groups.length)
      for (let i = 0; i < keys.length; i++) {
        let key = 0
        for (let lane = 0; lane < places.length; lane++) key = key * spans[lane] + places[lane][i]
        keys[i] = key * groups.length + i
      }
      keys.sort()
      return Uint32Array.from(keys, (key) => groups[key % groups.length])
    }
    const order = Uint32Array.from(groups, (_, i) => i)
    order.sort((a, b) => {
      for (const of of places) if (of[a] !== of[b]) return of[a] - of[b]
      return 0
    })
    return Uint32Array.from(order, (i) => groups[i])
  }
}
