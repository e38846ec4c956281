/** Minimum size of a reused buffer, bytes. Returning a smaller one would cost as much as allocating it. */
const LEAST_BYTES = 32 * 1024
/** Maximum total size of free buffers, bytes. */
const MOST_KEPT_BYTES = 16 * 1024 ** 2

/**
 * Pool of buffers for bodies that are transferred to another thread and back. Without reuse, new buffers would trigger
 * garbage collection in both threads.
 */
export class BodyBuffers {
  /** Free buffers by size; every size is a power of two. */
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

  /** Returns a buffer to the pool. The caller must not read the buffer any more. */
  giveBack(buffer: ArrayBuffer): void {
    const { byteLength } = buffer
    if (!isUsedAgain(buffer) || this.#freeBytes + byteLength > MOST_KEPT_BYTES) return
    const free = this.#free.get(byteLength)
    if (free === undefined) this.#free.set(byteLength, [buffer])
    else free.push(buffer)
    this.#freeBytes += byteLength
  }
}

/** True if a buffer is large enough to be reused. */
export function isUsedAgain({ byteLength }: ArrayBuffer): boolean {
  return byteLength >= LEAST_BYTES && (byteLength & (byteLength - 1)) === 0
}
