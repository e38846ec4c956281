/** Smaller buffers are allocated each time: returning them would cost as much. */
const LEAST_BYTES = 32 * 1024
/** Maximum size of unused buffers, bytes. */
const MOST_KEPT_BYTES = 16 * 1024 ** 2

/**
 * Buffers for bodies that travel to another thread and back. New ones would trigger a garbage collection in both
 * threads for every 64 MB of bodies.
 */
export class BodyBuffers {
  /** Free buffers by size, a power of two. */
  readonly #free = new Map<number, ArrayBuffer[]>()
  #freeBytes = 0

  /** Returns uninitialized memory. */
  take(bytes: number): Uint8Array<ArrayBuffer> {
    if (bytes < LEAST_BYTES) return new Uint8Array(bytes)
    const size = 2 ** Math.ceil(Math.log2(bytes))
    const found = this.#free.get(size)?.pop()
    if (found !== undefined) this.#freeBytes -= size
    return new Uint8Array(found ?? new ArrayBuffer(size), 0, bytes)
  }

  /** Must be called when the buffer is no longer read. */
  giveBack(buffer: ArrayBuffer): void {
    const { byteLength } = buffer
    if (!isUsedAgain(buffer) || this.#freeBytes + byteLength > MOST_KEPT_BYTES) return
    const free = this.#free.get(byteLength)
    if (free === undefined) this.#free.set(byteLength, [buffer])
    else free.push(buffer)
    this.#freeBytes += byteLength
  }
}

/** True if a buffer is worth returning. */
export function isUsedAgain({ byteLength }: ArrayBuffer): boolean {
  return byteLength >= LEAST_BYTES && (byteLength & (byteLength - 1)) === 0
}
