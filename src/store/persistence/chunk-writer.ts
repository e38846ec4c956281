import { CHUNK_BYTES } from '../../base/index.ts'

/** Joins short byte ranges into larger chunks. Added bytes are copied, so the caller may reuse its memory. */
export class ChunkWriter {
  readonly #take: (chunk: Uint8Array<ArrayBuffer>) => void
  readonly #areKept: boolean
  #held: Uint8Array<ArrayBuffer> | undefined
  #bytes = 0

  /** Passes chunks to `take`. With `areKept`, chunks are used after `take` returns, so each gets memory of its own. */
  constructor(take: (chunk: Uint8Array<ArrayBuffer>) => void, areKept: boolean) {
    this.#take = take
    this.#areKept = areKept
  }

  add(part: Uint8Array): void {
    if (this.#bytes + part.length > CHUNK_BYTES) this.flush()
    if (part.length > CHUNK_BYTES) return this.#take(new Uint8Array(part))
    this.#held ??= new Uint8Array(CHUNK_BYTES)
    this.#held.set(part, this.#bytes)
    this.#bytes += part.length
  }

  flush(): void {
    if (this.#held === undefined || this.#bytes === 0) return
    this.#take(this.#held.subarray(0, this.#bytes))
    if (this.#areKept) this.#held = undefined
    this.#bytes = 0
  }
}
