import { ITEMS_PER_CHECKPOINT, sortedIndexes, work } from '../../../base/index.ts'
import type { Codes, Column } from '../../../data/index.ts'
import type { PartialKeys } from '../keys/group-keys.ts'
import { PairNumbers, type Pairs } from '../keys/pair-numbers.ts'
import type { GroupMemory } from '../kernels/group-memory.ts'
import { sortNumbers } from '../keys/sort-numbers.ts'
import type { Slice } from '../segments/source.ts'
import { MAX_TABLE_SLOTS } from '../tuning.ts'
import type { NumberedKey } from './numbered-key.ts'

/**
 * Combines two keys into one: each distinct pair of key numbers gets a number, in order of appearance. A direct table
 * is used while all possible pairs fit, else a hash table.
 */
class Pairing {
  readonly #pairs = new PairNumbers()
  /** The direct table: the number of a pair plus one at `left × size + right`; 0 for a pair that did not occur. */
  #table: Uint32Array | undefined
  readonly #size: number
  readonly #memory: GroupMemory

  /** `rightSize` is an exclusive upper bound of the right numbers, if one is known. */
  constructor(rightSize: number | undefined, memory: GroupMemory) {
    this.#memory = memory
    this.#size = rightSize ?? 0
    this.#table = rightSize === undefined || rightSize > MAX_TABLE_SLOTS ? undefined : new Uint32Array(0)
  }

  get memoryBytes(): number {
    return this.#pairs.memoryBytes + (this.#table?.byteLength ?? 0)
  }

  get count(): number {
    return this.#pairs.size
  }

  get all(): Pairs {
    return this.#pairs.all()
  }

  leftsOf(pairs: Uint32Array): Uint32Array {
    return pairs.map((pair) => this.#pairs.leftOf(pair))
  }

  rightsOf(pairs: Uint32Array): Uint32Array {
    return pairs.map((pair) => this.#pairs.rightOf(pair))
  }

  /**
   * Writes to `into[i]` the number of the pair (`left[i]`, `right[i]`), for `i` below `length`. All left numbers are
   * below `leftBound`.
   */
  combine(left: Uint32Array, leftBound: number, right: Uint32Array, length: number, into: Uint32Array): void {
    const table = this.#tableFor(leftBound * this.#size)
    const size = this.#size
    for (let i = 0; i < length; i++) {
      if (i % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 4)
      if (table === undefined) {
        into[i] = this.#pairs.numberOf(left[i], right[i])
        continue
      }
      // `left[i]` times `size` is below the table's length, so the 32-bit product does not overflow.
      const pair = Math.imul(left[i], size) + right[i]
      let number = table[pair]
      if (number === 0) table[pair] = number = this.#pairs.numberOf(left[i], right[i]) + 1
      into[i] = number - 1
    }
  }

  /**
   * Combines the group numbers in kernel memory with another key: each becomes the number of its pair with `right`. All
   * group numbers are below `leftBound`.
   */
  combineGroups(leftBound: number, right: Uint32Array): void {
    const memory = this.#memory
    const table = this.#tableFor(leftBound * this.#size)
    if (table === undefined || !memory.hasRoomOf(table)) {
      this.combine(memory.groups, leftBound, right, right.length, memory.groups)
      return
    }
    work(right.length >>> 4)
    const size = this.#size
    memory.numberPairs(right, { at: table.byteOffset, size, count: this.count }, (pairs) => {
      for (const pair of pairs) this.#pairs.numberOf(Math.floor(pair / size), pair % size)
    })
  }

  /** Returns the direct table, enlarged to at least this many slots; `undefined` when the hash table is used. */
  #tableFor(slots: number): Uint32Array | undefined {
    const table = this.#table
    if (table === undefined || slots <= table.length) return table
    if (slots > MAX_TABLE_SLOTS) {
      this.#table = undefined
      return undefined
    }
    const length = Math.min(MAX_TABLE_SLOTS, Math.max(slots, table.length * 2))
    work(length >>> 5)
    const room = this.#memory.room(length * 4)
    const next = room === undefined ? new Uint32Array(length) : new Uint32Array(room.buffer, room.at, length)
    next.set(table)
    this.#table = next
    return next
  }
}

function largest(values: Uint32Array): number {
  let max = 0
  for (let i = 0; i < values.length; i++) if (values[i] > max) max = values[i]
  return max
}

/** Returns a new array with `from[at[i]]` for every `i`. */
export function pick(from: Uint32Array, at: Uint32Array): Uint32Array {
  work(at.length >>> 4)
  const out = new Uint32Array(at.length)
  for (let i = 0; i < at.length; i++) out[i] = from[at[i]]
  return out
}

/**
 * Buffer for the numbers of one key until they are combined. Reused, because new arrays for each query cause more
 * garbage collections.
 */
let scratch = new Uint32Array(0)

/** The groups of a `GroupNumbering` as plain data, for another thread. */
export interface PartialNumbering {
  readonly bound: number
  /** For each key, its values by key number; `undefined` for a key that all threads number alike. */
  readonly keys: readonly (PartialKeys | undefined)[]
  /**
   * For each key after the first: all pairs of a left number, which identifies the values of the previous keys, and
   * this key's number.
   */
  readonly pairings: readonly Pairs[]
}

let sameGroups = new Uint32Array(0)

/** Returns an array of the numbers from 0 to `bound - 1`. */
export function groupsBelow(bound: number): Uint32Array {
  if (sameGroups.length < bound) {
    sameGroups = new Uint32Array(Math.max(bound, sameGroups.length * 2))
    for (let group = 0; group < sameGroups.length; group++) sameGroups[group] = group
  }
  return sameGroups.subarray(0, bound)
}

/** Assigns group numbers to the rows of slices by one or more keys. */
export class GroupNumbering {
  readonly keys: readonly NumberedKey[]
  readonly #memory: GroupMemory
  readonly #pairings: (Pairing | undefined)[] = []

  constructor(keys: readonly NumberedKey[], memory: GroupMemory) {
    this.keys = keys
    this.#memory = memory
  }

  /** An exclusive upper bound of all group numbers. With one key, some numbers below it may have no rows. */
  get bound(): number {
    if (this.keys.length === 0) return 1
    if (this.keys.length === 1) return this.keys[0].size
    return this.#pairings[this.keys.length - 2]?.count ?? 0
  }

  get memoryBytes(): number {
    const ofKeys = this.keys.reduce((sum, key) => sum + (key.memoryBytes ?? 0), 0)
    return this.#pairings.reduce((sum, pairing) => sum + (pairing?.memoryBytes ?? 0), ofKeys)
  }

  /**
   * Returns the group of each row of a slice, in the array `groups` of the kernel memory, which the next slice
   * overwrites.
   */
  ids(slice: Slice): Uint32Array {
    const { length } = slice
    const ids = this.#memory.groups
    const [first, ...rest] = this.keys
    if (first === undefined) return ids.fill(0, 0, length)
    first.fill(slice, ids)
    rest.forEach((key, step) => {
      const leftBound = step === 0 ? first.size : (this.#pairings[step - 1]?.count ?? 0)
      if (scratch.length < length) scratch = new Uint32Array(Math.max(length, scratch.length * 2))
      key.fill(slice, scratch)
      this.#pairing(step, key).combineGroups(leftBound, scratch.subarray(0, length))
    })
    return ids
  }

  /** Returns the group of each row of a slice; the array is valid until the next slice. */
  numbers(slice: Slice): Codes {
    const [only, ...others] = this.keys
    return only === undefined || others.length > 0 ? this.ids(slice) : this.#numbersOf(only, slice, this.#memory.groups)
  }

  /**
   * Returns the key number of each row, written to `into`. If stored codes are the key numbers, these codes are
   * returned without a copy.
   */
  #numbersOf(key: NumberedKey, slice: Slice, into: Uint32Array): Codes {
    const codes = slice.rows === undefined ? key.codesOf?.(slice) : undefined
    if (codes !== undefined) return codes
    key.fill(slice, into)
    return into
  }

  #pairing(step: number, key: NumberedKey): Pairing {
    return (this.#pairings[step] ??= new Pairing(key.isFixed ? key.size : undefined, this.#memory))
  }

  /** Returns, for each of these groups, the key number that the key at `index` assigned. */
  idsOfKey(index: number, groups: Uint32Array): Uint32Array {
    let at = groups
    for (let step = this.keys.length - 2; step >= 0; step--) {
      const pairing = this.#pairings[step]
      if (pairing === undefined) return new Uint32Array(groups.length)
      if (step === index - 1) return pairing.rightsOf(at)
      at = pairing.leftsOf(at)
    }
    return at
  }

  /**
   * Returns the keys of all groups, by which another thread translates group numbers. `undefined` if such a translation
   * could be ambiguous.
   */
  exportNumbering(): PartialNumbering | undefined {
    const keys: (PartialKeys | undefined)[] = []
    for (const key of this.keys) {
      const values = key.keys?.()
      if (key.keys !== undefined && values === undefined) return undefined
      keys.push(values)
    }
    const pairings = Array.from({ length: Math.max(0, keys.length - 1) }, (_, step) => {
      const pairing = this.#pairings[step]
      return pairing?.all ?? { left: new Uint32Array(0), right: new Uint32Array(0) }
    })
    return { bound: this.bound, keys, pairings }
  }

  /**
   * Returns, for each group of another thread, the group number of this thread; `undefined` if the numbers are equal.
   * Groups that are new to this thread get the next numbers.
   */
  mergePartial({ keys, pairings }: PartialNumbering): Uint32Array | undefined {
    const own = this.keys.map((key, index) => {
      const values = keys[index]
      return values === undefined ? undefined : key.numbersOf?.(values)
    })
    let numbers = own[0]
    for (const [step, { left, right }] of pairings.entries()) {
      const before = step === 0 ? this.keys[0].size : (this.#pairings[step - 1]?.count ?? 0)
      const at = step + 1
      const next = new Uint32Array(left.length)
      const toRight = own[at]
      this.#pairing(step, this.keys[at]).combine(
        numbers === undefined ? left : pick(numbers, left),
        before,
        toRight === undefined ? right : pick(toRight, right),
        left.length,
        next,
      )
      numbers = next
    }
    return numbers
  }

  keyColumn(index: number, groups: Uint32Array): Column {
    return this.keys[index].values(this.idsOfKey(index, groups))
  }

  /** Returns the given groups, sorted by their keys in the order of the answer. */
  sorted(groups: Uint32Array): Uint32Array {
    if (this.keys.length === 0 || groups.length < 2) return groups
    const ids = this.keys.map((_, index) => this.idsOfKey(index, groups))
    const ranks: Uint32Array[] = []
    for (const [index, key] of this.keys.entries()) ranks.push(pick(key.ranks(ids[index]), ids[index]))
    const spans = ranks.map((of) => largest(of) + 1)
    const total = spans.reduce((product, span) => product * span, groups.length)
    if (total < Number.MAX_SAFE_INTEGER) {
      // Packs the positions of all keys and the index of the group into one number, so that sorting numbers sorts the
      // groups.
      const keys = new Float64Array(groups.length)
      for (let i = 0; i < keys.length; i++) {
        let key = 0
        for (let at = 0; at < ranks.length; at++) key = key * spans[at] + ranks[at][i]
        keys[i] = key * groups.length + i
      }
      sortNumbers(keys)
      const order = new Uint32Array(groups.length)
      for (let i = 0; i < order.length; i++) order[i] = groups[keys[i] % groups.length]
      return order
    }
    const order = sortedIndexes(groups.length, (a, b) => {
      for (const of of ranks) if (of[a] !== of[b]) return of[a] - of[b]
      return 0
    })
    return pick(groups, order)
  }
}
