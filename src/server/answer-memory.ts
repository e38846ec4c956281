import { fault } from './http-fault.ts'

/** Counts the bytes of all answers that are built or sent, or of all bodies taken in, so that many cannot add up. */
export class AnswerMemory {
  readonly #limitBytes: number
  readonly #reason: string
  #usedBytes = 0

  constructor(limitBytes: number, reason = 'too many large answers are being sent') {
    this.#limitBytes = limitBytes
    this.#reason = reason
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Throws 503 when all of them together would become too large. */
  reserve(bytes: number): void {
    if (this.#usedBytes + bytes > this.#limitBytes) {
      throw fault('busy', { reason: this.#reason }, { 'Retry-After': '1' })
    }
    this.#usedBytes += bytes
  }

  release(bytes: number): void {
    this.#usedBytes -= bytes
  }
}
