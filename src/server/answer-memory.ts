import { BLOCK_BYTES, BlockPool, type Block } from '../workers/index.ts'
import { fault } from './http-fault.ts'

/** Memory for all answers that are built or sent, so that many cannot add up. */
export class AnswerMemory {
  readonly #limitBytes: number
  readonly #pool: BlockPool

  constructor(limitBytes: number, pool = new BlockPool()) {
    this.#limitBytes = limitBytes
    this.#pool = pool
  }

  get usedBytes(): number {
    return this.#pool.usedBytes
  }

  /** Throws 503 when all answers together would become too large. */
  readonly take = (): Block => {
    if (this.usedBytes + BLOCK_BYTES > this.#limitBytes)
      throw fault('busy', { reason: 'too many large answers are being sent' }, { 'Retry-After': '1' })
    return this.#pool.take()
  }

  /** To be called at the end of an answer. */
  trim(): void {
    this.#pool.trim()
  }
}
