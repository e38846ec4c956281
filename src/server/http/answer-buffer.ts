import { SharedBlockWriter, WholeBody } from '../../workers/index.ts'
import type { AnswerShare } from './answer-memory.ts'
import { fault } from '../errors/http-fault.ts'

/** Buffers an answer before it is sent. Throws if the answer grows too large, alone or together with other answers. */
export class AnswerBuffer {
  readonly #memory: AnswerShare
  readonly #limitBytes: number
  readonly #writer: SharedBlockWriter
  #totalBytes = 0

  constructor(memory: AnswerShare, limitBytes: number) {
    this.#memory = memory
    this.#limitBytes = limitBytes
    this.#writer = new SharedBlockWriter(memory.take)
  }

  add(chunk: string | Uint8Array): void {
    // Every character takes at least one byte, so this check never rejects an answer that would fit.
    this.#check(this.#totalBytes + chunk.length)
    this.#writer.write(chunk)
    this.#totalBytes = this.#writer.lengthBytes
    this.#check(this.#totalBytes)
  }

  /** Releases the memory of an answer that is not sent. */
  drop(): void {
    new WholeBody(this.#writer.end()).cancel()
    this.#memory.trim()
  }

  /** Returns the answer. Its memory stays reserved until the reader has received it. */
  whole(): WholeBody {
    this.#memory.trim()
    return new WholeBody(this.#writer.end())
  }

  #check(bytes: number): void {
    if (bytes > this.#limitBytes) throw fault('answer-too-large', { limitBytes: this.#limitBytes })
  }
}
