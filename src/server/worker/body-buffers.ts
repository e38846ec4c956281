/** Smaller ones are made anew each time: handing them back would cost as much. */
const LEAST_BYTES = 32 * 1024
/** What is kept while nothing is in it. */
const MOST_KEPT_BYTES = 16 * 1024 ** 2

/**
 * Memory for bodies that goes to another thread and comes back. New memory for each would have both threads look through their
 * heaps after every 64 MB of bodies.
 */
export class BodyBuffers {
  /** By size, each a power of two. */
  readonly #free = new Map<number, ArrayBuffer[]>()
  #freeBytes = 0

  /** `bytes` of memory, in which anything may be. */
  take(bytes: number): Uint8Array<ArrayBuffer> {
    if (bytes < LEAST_BYTES) return new Uint8Array(bytes)
    const size = 2 ** Math.ceil(Math.log2(bytes))
    const found = this.#free.get(size)?.pop()
    if (found !== undefined) this.#freeBytes -= size
    return new Uint8Array(found ?? new ArrayBuffer(size), 0, bytes)
  }

  /** To be called once nobody reads it any more. */
  giveBack(buffer: ArrayBuffer): void {
    const { byteLength } = buffer
    if (!isUsedAgain(buffer) || this.#freeBytes + byteLength > MOST_KEPT_BYTES) return
    const free = this.#free.get(byteLength)
    if (free === undefined) this.#free.set(byteLength, [buffer])
    else free.push(buffer)
    this.#freeBytes += byteLength
  }
}

/** Whether memory that was taken is worth handing back. */
export function isUsedAgain({ byteLength }: ArrayBuffer): boolean {
  return byteLength >= LEAST_BYTES && (byteLength & (byteLength - 1)) === 0
}
