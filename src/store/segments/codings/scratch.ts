import { CHUNK_BYTES } from '../../../base/index.ts'

/**
 * Reusable memory for bytes that are consumed before the next ones are made, to avoid garbage for each block of a file.
 */
export class Scratch {
  #bytes = new Uint8Array(0)

  /** Returns `length` uninitialized bytes. The bytes of the previous call become invalid. */
  readonly take = (length: number): Buffer => {
    if (length > CHUNK_BYTES) return Buffer.allocUnsafe(length)
    if (length > this.#bytes.length) this.#bytes = new Uint8Array(Math.min(CHUNK_BYTES, length * 2))
    return Buffer.from(this.#bytes.buffer, 0, length)
  }
}

/** Returns `length` uninitialized bytes. */
export type TakeBytes = (length: number) => Buffer

export const newBytes: TakeBytes = (length) => Buffer.allocUnsafe(length)
