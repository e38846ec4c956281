import { ITEMS_PER_CHECKPOINT, work } from '../../../base/index.ts'

/** Marks a free slot of the hash table. */
const FREE = 0xffffffff

export interface Pairs {
  readonly left: Uint32Array
  readonly right: Uint32Array
}

/**
 * Assigns numbers to distinct pairs of integers, in order of appearance. A hash table with open addressing over typed
 * arrays.
 */
export class PairNumbers {
  #slots = new Uint32Array(1024).fill(FREE)
  #left = new Uint32Array(512)
  #right = new Uint32Array(512)
  #size = 0

  get size(): number {
    return this.#size
  }

  get memoryBytes(): number {
    return this.#slots.byteLength + 2 * this.#left.byteLength
  }

  leftOf(pair: number): number {
    return this.#left[pair]
  }

  rightOf(pair: number): number {
    return this.#right[pair]
  }

  /** Adds a pair and returns whether it was new. */
  add(left: number, right: number): boolean {
    const known = this.#size
    this.numberOf(left, right)
    return this.#size > known
  }

  /** Returns all pairs in the order of their numbers. */
  all(): Pairs {
    return { left: this.#left.slice(0, this.#size), right: this.#right.slice(0, this.#size) }
  }

  /** Replaces each `left[i]` by the number of the pair (`left[i]`, `right[i]`); new pairs get the next numbers. */
  combine(left: Uint32Array, right: Uint32Array): void {
    for (let row = 0; row < left.length; row++) {
      if (row % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 2)
      left[row] = this.numberOf(left[row], right[row])
    }
  }

  /** Returns the number of a pair; a new pair gets the next number. */
  numberOf(left: number, right: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = hashOfPair(left, right) & mask
    for (;;) {
      const pair = slots[slot]
      if (pair === FREE) return this.#add(left, right, slot)
      if (this.#left[pair] === left && this.#right[pair] === right) return pair
      slot = (slot + 1) & mask
    }
  }

  #add(left: number, right: number, slot: number): number {
    const pair = this.#size++
    this.#left[pair] = left
    this.#right[pair] = right
    this.#slots[slot] = pair
    if (this.#size === this.#left.length) this.#grow()
    return pair
  }

  /** Doubles the capacity. The hash table has twice as many slots as pairs, so half of them stay free. */
  #grow(): void {
    const room = this.#size * 2
    this.#left = wider(this.#left, room)
    this.#right = wider(this.#right, room)
    const slots = new Uint32Array(room * 2).fill(FREE)
    const mask = slots.length - 1
    for (let pair = 0; pair < this.#size; pair++) {
      if (pair % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 2)
      let slot = hashOfPair(this.#left[pair], this.#right[pair]) & mask
      while (slots[slot] !== FREE) slot = (slot + 1) & mask
      slots[slot] = pair
    }
    this.#slots = slots
  }
}

function hashOfPair(left: number, right: number): number {
  let hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}

function wider(numbers: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const wide = new Uint32Array(length)
  wide.set(numbers)
  return wide
}
