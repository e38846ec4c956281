/** The shared memory of a ring. It is plain data that can be posted to threads. */
export interface ByteRingMemory {
  readonly bytes: SharedArrayBuffer
  readonly control: SharedArrayBuffer
}

// Indexes of the words in the control memory.
/**
 * Bytes that have been written and read since the beginning. Only their difference counts, so the counters may wrap
 * around.
 */
const WRITTEN = 0
const READ = 1
const ENDED = 2
/** Increases with each change of the other words, for threads that wait for a change. */
const CHANGES = 3
const WORDS = 4

/** A ring buffer that carries bytes from a writing thread to a reading thread. */
export class ByteRing {
  readonly memory: ByteRingMemory
  readonly #bytes: Uint8Array
  readonly #control: Int32Array

  /** Makes a new ring of this many bytes, a power of two, or opens the ring of another thread. */
  constructor(of: number | ByteRingMemory) {
    this.memory =
      typeof of === 'number'
        ? { bytes: new SharedArrayBuffer(of), control: new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT) }
        : of
    this.#bytes = new Uint8Array(this.memory.bytes)
    this.#control = new Int32Array(this.memory.control)
  }

  get #used(): number {
    return (Atomics.load(this.#control, WRITTEN) - Atomics.load(this.#control, READ)) >>> 0
  }

  get #hasEnded(): boolean {
    return Atomics.load(this.#control, ENDED) === 1
  }

  /** Writes bytes; blocks the thread while the ring is full. Returns false when the ring has ended. */
  write(bytes: Uint8Array): boolean {
    for (let from = 0; from < bytes.length;) {
      const changes = Atomics.load(this.#control, CHANGES)
      if (this.#hasEnded) return false
      const at = Atomics.load(this.#control, WRITTEN) & (this.#bytes.length - 1)
      const room = Math.min(this.#bytes.length - this.#used, this.#bytes.length - at)
      if (room === 0) {
        Atomics.wait(this.#control, CHANGES, changes)
        continue
      }
      const slice = bytes.subarray(from, from + room)
      this.#bytes.set(slice, at)
      from += slice.length
      this.#move(WRITTEN, slice.length)
    }
    return true
  }

  /** Copies bytes to the beginning of `target` and returns their number; 0 when the ring has ended and is empty. */
  async read(target: Uint8Array): Promise<number> {
    for (;;) {
      const changes = Atomics.load(this.#control, CHANGES)
      const hasEnded = this.#hasEnded
      const at = Atomics.load(this.#control, READ) & (this.#bytes.length - 1)
      const slice = this.#bytes.subarray(at, at + Math.min(this.#used, target.length))
      if (slice.length > 0) {
        target.set(slice)
        this.#move(READ, slice.length)
        return slice.length
      }
      if (hasEnded) return 0
      await Atomics.waitAsync(this.#control, CHANGES, changes).value
    }
  }

  /** Ends the ring, because the writer has finished or the reader has stopped. */
  end(): void {
    Atomics.store(this.#control, ENDED, 1)
    this.#tellChange()
  }

  #move(word: number, bytes: number): void {
    Atomics.add(this.#control, word, bytes)
    this.#tellChange()
  }

  #tellChange(): void {
    Atomics.add(this.#control, CHANGES, 1)
    Atomics.notify(this.#control, CHANGES)
  }
}
