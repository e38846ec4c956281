import { fault } from './http-fault.ts'

/** Counts the bytes of all bodies taken in, so that many cannot add up. */
export class BodyMemory {
  readonly #limitBytes: number
  #usedBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  /** Throws 503 when all of them together would become too large. */
  reserve(bytes: number): void {
    if (this.#usedBytes + bytes > this.#limitBytes)
      throw fault('busy', { reason: 'too many large bodies are being taken in' }, { 'Retry-After': '1' })
    this.#usedBytes += bytes
  }

  release(bytes: number): void {
    this.#usedBytes -= bytes
  }
}
