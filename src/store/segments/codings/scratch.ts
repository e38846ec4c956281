import { CHUNK_BYTES } from '../../../base/index.ts'

/**
 * Memory that is used again and again, for bytes that are done with before the next ones are made. New memory for each block of a
 * file has a thread look through its heap once a segment.
 */
export class Scratch {
  #bytes = new Uint8Array(0)

  /** `length` bytes, in which anything may be; those given before are no one's any more. */
  readonly take = (length: number): Buffer => {
    if (length > CHUNK_BYTES) return Buffer.allocUnsafe(length)
    if (length > this.#bytes.length) this.#bytes = new Uint8Array(Math.min(CHUNK_BYTES, length * 2))
    return Buffer.from(this.#bytes.buffer, 0, length)
  }
}

/** Gives memory for so many bytes, in which anything may be. */
export type TakeBytes = (length: number) => Buffer

export const newBytes: TakeBytes = (length) => Buffer.allocUnsafe(length)
