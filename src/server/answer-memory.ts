import { fault } from './http-fault.ts'

/** Counts the bytes of all answers that are built or waiting to be sent, so that many large ones cannot add up. */
export class AnswerMemory {
  readonly #limitBytes: number
  #usedBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Throws 503 when all answers together would become too large. */
  reserve(bytes: number): void {
    if (this.#usedBytes + bytes > this.#limitBytes) {
      throw fault('busy', { reason: 'too many large answers are being sent' }, { 'Retry-After': '1' })
    }
    this.#usedBytes += bytes
  }

  release(bytes: number): void {
    this.#usedBytes -= bytes
  }
}
