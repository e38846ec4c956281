import { present } from '../base/index.ts'
import type { AnswerMemory } from './answer-memory.ts'
import { fault } from './http-fault.ts'
import { wholeResponse } from './known-body.ts'

/** Up to this size an answer goes out as one piece. */
const SINGLE_BODY_BYTES = 256 * 1024

/** Collects an answer before it is sent; refuses what grows too large, alone or together with other answers. */
export class AnswerBuffer {
  readonly #memory: AnswerMemory
  readonly #limitBytes: number
  readonly #chunks: Uint8Array[] = []
  #totalBytes = 0

  constructor(memory: AnswerMemory, limitBytes: number) {
    this.#memory = memory
    this.#limitBytes = limitBytes
  }

  /** Before a text is made bytes: each of its characters takes one at least. */
  check(chars: number): void {
    if (this.#totalBytes + chars > this.#limitBytes) throw fault('answer-too-large', { limitBytes: this.#limitBytes })
  }

  add(chunk: Uint8Array): void {
    this.check(chunk.byteLength)
    this.#memory.reserve(chunk.byteLength)
    this.#totalBytes += chunk.byteLength
    this.#chunks.push(chunk)
  }

  /** Gives the memory back; to be called when the answer will not be sent. */
  drop(): void {
    this.#memory.release(this.#totalBytes)
    this.#totalBytes = 0
    this.#chunks.length = 0
  }

  /** The answer; a large one stays counted until its reader has taken it. */
  response(headers: Readonly<Record<string, string>>): Response {
    const all = { ...headers, 'Content-Length': String(this.#totalBytes) }
    if (this.#totalBytes > SINGLE_BODY_BYTES) return new Response(this.#stream(), { headers: all })
    const body = Buffer.concat(this.#chunks)
    this.drop()
    return wholeResponse(body, { headers: all })
  }

  #stream(): ReadableStream<Uint8Array> {
    const chunks = this.#chunks
    const memory = this.#memory
    let next = 0
    return new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const chunk = present(chunks[next++], 'the next chunk')
          controller.enqueue(chunk)
          memory.release(chunk.byteLength)
          if (next === chunks.length) controller.close()
        },
        cancel() {
          for (const chunk of chunks.slice(next)) memory.release(chunk.byteLength)
          next = chunks.length
        },
      },
      { highWaterMark: 0 },
    )
  }
}
