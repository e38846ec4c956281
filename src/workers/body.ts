import type { SharedBlock } from './blocks.ts'

/** A complete answer body in blocks. Each block is freed once its bytes have been read. */
export class WholeBody {
  readonly blocks: readonly SharedBlock[]
  #next = 0

  constructor(blocks: readonly SharedBlock[]) {
    this.blocks = blocks
  }

  get lengthBytes(): number {
    return this.blocks.reduce((sum, block) => sum + block.lengthBytes, 0)
  }

  /** Returns the next bytes, valid until the next call; `undefined` at the end. */
  next(): Uint8Array | undefined {
    if (this.#next > 0) this.blocks[this.#next - 1]?.free()
    return this.blocks[this.#next++]?.bytes
  }

  /** Frees the remaining blocks. A reader that stops before `next` has returned `undefined` must call this function. */
  cancel(): void {
    for (const block of this.blocks.slice(Math.max(0, this.#next - 1))) block.free()
    this.#next = this.blocks.length + 1
  }
}

/** An answer body whose bytes or strings arrive over time. */
export interface StreamBody {
  /**
   * Resolves to the next chunk, valid until the next call; `undefined` at the end. Rejects when the body ends early.
   */
  next(): Promise<string | Uint8Array | undefined>
  /** Stops the body because its reader has disconnected. */
  cancel(): void
  /** The error that the last bytes of the body report; `undefined` if there is none. Valid once the body has ended. */
  readonly failure: unknown
}

/** The body of an answer. */
export type AnswerBody = string | Uint8Array | WholeBody | StreamBody | null

export function isStream(body: AnswerBody): body is StreamBody {
  return body !== null && typeof body === 'object' && 'failure' in body
}

/** Releases a body that will not be read. */
export function dropBody(body: AnswerBody): void {
  if (body instanceof WholeBody || isStream(body)) body.cancel()
}
