import { CHUNK_BYTES } from '../../../base/index.ts'
import { PART_BYTES, PART_SLOTS } from '../tuning.ts'

/** The shared memory of a ring. It is plain data that can be posted to threads. */
export interface PartMemory {
  readonly slots: readonly SharedArrayBuffer[]
  readonly control: SharedArrayBuffer
  readonly offsets: SharedArrayBuffer
}

/** A part whose bytes are in the ring until it is freed. */
export interface TakenPart {
  readonly part: number
  readonly bytes: Uint8Array
  /** The offset of the part's first byte in the input. */
  readonly offset: number
}

// Indexes of the words in the control memory.
const FILLED = 0
const TAKEN = 1
const ENDED = 2
/** Increases with each change of the other words, for threads that wait for a change. */
const CHANGES = 3
/** The index of the first of the words that hold the number of bytes in each slot. */
const LENGTHS = 4

/** A part number above all real ones; it means that no part is left. */
const NO_MORE_PARTS = 2 ** 30

/**
 * A ring that carries parts of an input from the thread that fills slots to all threads that read them. Part `n` is in
 * slot `n % PART_SLOTS`. The filling thread must know that the previous part in a slot is no longer needed.
 */
export class PartRing {
  readonly memory: PartMemory
  readonly #control: Int32Array
  readonly #offsets: Float64Array

  /** Opens the ring of another thread, or makes a new one when there is no `memory`. */
  constructor(memory?: PartMemory) {
    this.memory = memory ?? {
      slots: Array.from({ length: PART_SLOTS }, () => new SharedArrayBuffer(PART_BYTES + CHUNK_BYTES)),
      control: new SharedArrayBuffer((LENGTHS + PART_SLOTS) * Int32Array.BYTES_PER_ELEMENT),
      offsets: new SharedArrayBuffer(PART_SLOTS * Float64Array.BYTES_PER_ELEMENT),
    }
    this.#control = new Int32Array(this.memory.control)
    this.#offsets = new Float64Array(this.memory.offsets)
  }

  /** Resets the ring to its initial state. No other thread may use the ring during the reset. */
  reset(): void {
    this.#control.fill(0)
  }

  get filled(): number {
    return Atomics.load(this.#control, FILLED)
  }

  /** Returns the whole memory of a part that is to be filled. */
  slot(part: number): Uint8Array {
    const slot = this.memory.slots[part % PART_SLOTS]
    if (slot === undefined) throw new RangeError(`There is no slot for part ${part}.`)
    return new Uint8Array(slot)
  }

  /** Returns the bytes of a part that has been filled and not freed. */
  part(part: number): TakenPart {
    const slot = part % PART_SLOTS
    const bytes = this.slot(part).subarray(0, this.#control[LENGTHS + slot])
    return { part, bytes, offset: this.#offsets[slot] ?? 0 }
  }

  /** Lets threads take the next part: the first `length` bytes of its slot. */
  publish(part: number, length: number, offset: number): void {
    const slot = part % PART_SLOTS
    this.#control[LENGTHS + slot] = length
    this.#offsets[slot] = offset
    Atomics.store(this.#control, FILLED, part + 1)
    this.#tellChange()
  }

  /** Marks the last published part as the last one. */
  end(): void {
    Atomics.store(this.#control, ENDED, 1)
    this.#tellChange()
  }

  /** Stops the ring: no thread can take a further part. */
  stop(): void {
    Atomics.store(this.#control, TAKEN, NO_MORE_PARTS)
    this.end()
  }

  /** Returns a part that no thread has taken yet; `undefined` when there is none now. */
  take(): TakenPart | undefined {
    for (;;) {
      const part = Atomics.load(this.#control, TAKEN)
      if (part >= this.filled) return undefined
      if (Atomics.compareExchange(this.#control, TAKEN, part, part + 1) === part) return this.part(part)
    }
  }

  /** Works like `take`, but blocks the thread until there is a part; `undefined` at the end. */
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
