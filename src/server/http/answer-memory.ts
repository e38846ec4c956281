import { BLOCK_BYTES, BlockPool, type Block } from '../../workers/index.ts'
import { fault } from '../errors/http-fault.ts'
import { shareOfKey } from '../settings/limits.ts'

/** What the answers of one key take of the memory for all. */
export interface AnswerShare {
  /** Throws 503 when all answers together would become too large, 429 when those of the key would. */
  readonly take: () => Block
  /** To be called at the end of an answer. */
  readonly trim: () => void
}

/** Memory for all answers that are built or sent, so that many cannot add up; no key has all of it. */
export class AnswerMemory {
  readonly #limitBytes: number
  readonly #limitOfKeyBytes: number
  readonly #pool: BlockPool

  constructor(limitBytes: number, pool = new BlockPool()) {
    this.#limitBytes = limitBytes
    this.#limitOfKeyBytes = shareOfKey(limitBytes)
    this.#pool = pool
  }

  get usedBytes(): number {
    return this.#pool.usedBytes
  }

  of(keyId: string): AnswerShare {
    return { take: () => this.#take(keyId), trim: () => this.#pool.trim() }
  }

  #take(keyId: string): Block {
    if (this.#pool.usedBytesOf(keyId) + BLOCK_BYTES > this.#limitOfKeyBytes)
      throw fault('too-many-answers', { limitBytes: this.#limitOfKeyBytes }, { 'Retry-After': '1' })
    if (this.usedBytes + BLOCK_BYTES > this.#limitBytes)
      throw fault('busy', { reason: 'too many large answers are being sent' }, { 'Retry-After': '1' })
    return this.#pool.take(keyId)
  }
}
