import { CHUNK_BYTES } from '../../../base/index.ts'
import { PART_BYTES, PART_SLOTS } from '../tuning.ts'

/** Shared memory of a ring. Plain data, which threads are given. */
export interface PartMemory {
  readonly slots: readonly SharedArrayBuffer[]
  readonly control: SharedArrayBuffer
  readonly places: SharedArrayBuffer
}

/** A part whose bytes lie in the ring until it is freed. */
export interface TakenPart {
  readonly part: number
  readonly bytes: Uint8Array
  /** The place of its first byte in the input. */
  readonly place: number
}

// Words of the control memory.
const FILLED = 0
const TAKEN = 1
const ENDED = 2
/** Counts up with each change of the others, for whoever waits for one. */
const CHANGES = 3
/** Bytes of the part in each slot from here on. */
const LENGTHS = 4

/** Beyond every part: nothing is left to take. */
const NO_MORE_PARTS = 2 ** 30

/**
 * Parts of an input on their way from the thread that fills slots to all threads that read them. Part `n` lies in slot
 * `n % PART_SLOTS`; whoever fills a slot knows that the part before in it is needed no more.
 */
export class PartRing {
  readonly memory: PartMemory
  readonly #control: Int32Array
  readonly #places: Float64Array

  /** A ring of its own without `memory`. */
  constructor(memory?: PartMemory) {
    this.memory = memory ?? {
      slots: Array.from({ length: PART_SLOTS }, () => new SharedArrayBuffer(PART_BYTES + CHUNK_BYTES)),
      control: new SharedArrayBuffer((LENGTHS + PART_SLOTS) * Int32Array.BYTES_PER_ELEMENT),
      places: new SharedArrayBuffer(PART_SLOTS * Float64Array.BYTES_PER_ELEMENT),
    }
    this.#control = new Int32Array(this.memory.control)
    this.#places = new Float64Array(this.memory.places)
  }

  /** Makes the ring as it was when it was new; no other thread may use it meanwhile. */
  reset(): void {
    this.#control.fill(0)
  }

  get filled(): number {
    return Atomics.load(this.#control, FILLED)
  }

  /** The whole memory of a part that is to be filled. */
  slot(part: number): Uint8Array {
    const slot = this.memory.slots[part % PART_SLOTS]
    if (slot === undefined) throw new RangeError(`There is no slot for part ${part}.`)
    return new Uint8Array(slot)
  }

  /** The bytes of a part that was filled and not freed. */
  part(part: number): TakenPart {
    const slot = part % PART_SLOTS
    const bytes = this.slot(part).subarray(0, this.#control[LENGTHS + slot])
    return { part, bytes, place: this.#places[slot] ?? 0 }
  }

  /** Lets threads take the next part, the first `length` bytes of its slot. */
  publish(part: number, length: number, place: number): void {
    const slot = part % PART_SLOTS
    this.#control[LENGTHS + slot] = length
    this.#places[slot] = place
    Atomics.store(this.#control, FILLED, part + 1)
    this.#tellChange()
  }

  /** Tells threads that no part follows. */
  end(): void {
    Atomics.store(this.#control, ENDED, 1)
    this.#tellChange()
  }

  /** Leaves nothing to take. */
  stop(): void {
    Atomics.store(this.#control, TAKEN, NO_MORE_PARTS)
    this.end()
  }

  /** A part that no other thread has taken, if there is one now. */
  take(): TakenPart | undefined {
    for (;;) {
      const part = Atomics.load(this.#control, TAKEN)
      if (part >= this.filled) return undefined
      if (Atomics.compareExchange(this.#control, TAKEN, part, part + 1) === part) return this.part(part)
    }
  }

  /** As `take`, but waits for a part, and blocks the thread meanwhile; `undefined` at the end. */
  waitAndTake(): TakenPart | undefined {
    for (;;) {
      const changes = Atomics.load(this.#control, CHANGES)
      const taken = this.take()
      if (taken !== undefined || Atomics.load(this.#control, ENDED) === 1) return taken
      Atomics.wait(this.#control, CHANGES, changes)
    }
  }

  #tellChange(): void {
    Atomics.add(this.#control, CHANGES, 1)
    Atomics.notify(this.#control, CHANGES)
  }
}
