import { BlockWriter, WholeBody } from '../../workers/index.ts'
import type { AnswerShare } from './answer-memory.ts'
import { fault } from '../errors/http-fault.ts'

/** Collects an answer before it is sent; throws if it grows too large, alone or with other answers. */
export class AnswerBuffer {
  readonly #memory: AnswerShare
  readonly #limitBytes: number
  readonly #writer: BlockWriter
  #totalBytes = 0

  constructor(memory: AnswerShare, limitBytes: number) {
    this.#memory = memory
    this.#limitBytes = limitBytes
    this.#writer = new BlockWriter(memory.take)
  }

  add(piece: string | Uint8Array): void {
    // Each character takes at least one byte.
    this.#check(this.#totalBytes + piece.length)
    this.#writer.write(piece)
    this.#totalBytes = this.#writer.lengthBytes
    this.#check(this.#totalBytes)
  }

  /** Releases the memory of an answer that will not be sent. */
  drop(): void {
    new WholeBody(this.#writer.end()).cancel()
    this.#memory.trim()
  }

  /** The answer; it stays reserved until its reader has taken it. */
  whole(): WholeBody {
    this.#memory.trim()
    return new WholeBody(this.#writer.end())
  }

  #check(bytes: number): void {
    if (bytes > this.#limitBytes) throw fault('answer-too-large', { limitBytes: this.#limitBytes })
  }
}
