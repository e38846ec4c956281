/** Shared memory of a ring. Plain data, which threads are given. */
export interface ByteRingMemory {
  readonly bytes: SharedArrayBuffer
  readonly control: SharedArrayBuffer
}

// Words of the control memory.
/** Bytes that were written and read since the beginning; only their difference counts, so they may wrap around. */
const WRITTEN = 0
const READ = 1
const ENDED = 2
/** Counts up with each change of the others, for whoever waits for one. */
const CHANGES = 3
const WORDS = 4

/** Bytes on their way from a thread that writes them to one that reads them. */
export class ByteRing {
  readonly memory: ByteRingMemory
  readonly #bytes: Uint8Array
  readonly #control: Int32Array

  /** A new ring of so many bytes, a power of two; or one that another thread has made. */
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

  /** Blocks the thread while the ring is full. Gives false where nobody reads any more. */
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
      const piece = bytes.subarray(from, from + room)
      this.#bytes.set(piece, at)
      from += piece.length
      this.#move(WRITTEN, piece.length)
    }
    return true
  }

  /** Puts bytes at the beginning of `target`, and gives how many; 0 when there are no more and the ring has ended. */
  async read(target: Uint8Array): Promise<number> {
    for (;;) {
      const changes = Atomics.load(this.#control, CHANGES)
      const hasEnded = this.#hasEnded
      const at = Atomics.load(this.#control, READ) & (this.#bytes.length - 1)
      const piece = this.#bytes.subarray(at, at + Math.min(this.#used, target.length))
      if (piece.length > 0) {
        target.set(piece)
        this.#move(READ, piece.length)
        return piece.length
      }
      if (hasEnded) return 0
      await Atomics.waitAsync(this.#control, CHANGES, changes).value
    }
  }

  /** Nothing more is written, or nobody reads what is. */
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
