import { CHUNK_BYTES } from '../../base/index.ts'

/** Puts short parts together. What is added may change as soon as it has been. */
export class Pieces {
  readonly #take: (piece: Uint8Array<ArrayBuffer>) => void
  readonly #areKept: boolean
  #held: Uint8Array<ArrayBuffer> | undefined
  #bytes = 0

  /** `areKept` says that pieces outlive the call that takes them, so that each has memory of its own. */
  constructor(take: (piece: Uint8Array<ArrayBuffer>) => void, areKept: boolean) {
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
