import type { Block } from './blocks.ts'

/** Bytes that are complete. Each block is let go of as soon as it was taken. */
export class WholeBody {
  readonly blocks: readonly Block[]
  #next = 0

  constructor(blocks: readonly Block[]) {
    this.blocks = blocks
  }

  get lengthBytes(): number {
    return this.blocks.reduce((sum, block) => sum + block.lengthBytes, 0)
  }

  /** The next bytes; they stay as they are until this is called again. `undefined` at the end. */
  next(): Uint8Array | undefined {
    if (this.#next > 0) this.blocks[this.#next - 1]?.free()
    return this.blocks[this.#next++]?.bytes
  }

  /** To be called when nobody looks at the bytes any more, unless `next` has given `undefined`. */
  cancel(): void {
    for (const block of this.blocks.slice(Math.max(0, this.#next - 1))) block.free()
    this.#next = this.blocks.length + 1
  }
}

/** Bytes or text as they come. */
export interface StreamBody {
  /** The next piece, which stays as it is until this is called again; `undefined` at the end. Rejects when it breaks off. */
  next(): Promise<string | Uint8Array | undefined>
  /** The reader has gone. */
  cancel(): void
  /** At the end: what the last piece tells of, if something went wrong. */
  readonly failure: unknown
}

/** What goes behind the head of an answer. */
export type Body = string | Uint8Array | WholeBody | StreamBody | null

export function isStream(body: Body): body is StreamBody {
  return body !== null && typeof body === 'object' && 'failure' in body
}

/** To be called of a body that nobody will read. */
export function dropBody(body: Body): void {
  if (body instanceof WholeBody || isStream(body)) body.cancel()
}
