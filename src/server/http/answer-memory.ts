import { BLOCK_BYTES, BlockPool, type SharedBlock } from '../../workers/index.ts'
import { fault } from '../errors/http-fault.ts'
import { shareOfKey } from '../settings/limits.ts'

/** Reservation for an answer. */
export interface AnswerShare {
  /**
   * Reserves another block. Throws 503 if all answers together would be too large, 429 if the answers of the key would.
   */
  readonly take: () => SharedBlock
  /** Releases the unused part of the last block. Called at the end of an answer. */
  readonly trim: () => void
}

/** Memory of all answers being built or sent, limited in total and for each key. */
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

  #take(keyId: string): SharedBlock {
    if (this.#pool.usedBytesOf(keyId) + BLOCK_BYTES > this.#limitOfKeyBytes)
      throw fault('too-many-answers', { limitBytes: this.#limitOfKeyBytes }, { 'Retry-After': '1' })
    if (this.usedBytes + BLOCK_BYTES > this.#limitBytes)
      throw fault('busy', { reason: 'too many large answers are being sent' }, { 'Retry-After': '1' })
    return this.#pool.take(keyId)
  }
}
