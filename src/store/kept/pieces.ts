/** Bytes that are handed over, and written, at once. */
const PIECE_BYTES = 1 << 20

/** Puts short pieces together, each in memory of its own. */
export class Pieces {
  readonly #take: (piece: Uint8Array<ArrayBuffer>) => void
  #parts: Uint8Array[] = []
  #bytes = 0

  constructor(take: (piece: Uint8Array<ArrayBuffer>) => void) {
    this.#take = take
  }

  add(part: Uint8Array): void {
    this.#parts.push(part)
    this.#bytes += part.length
    if (this.#bytes >= PIECE_BYTES) this.flush()
  }

  flush(): void {
    if (this.#bytes === 0) return
    const piece = new Uint8Array(this.#bytes)
    let at = 0
    for (const part of this.#parts) {
      piece.set(part, at)
      at += part.length
    }
    this.#take(piece)
    this.#parts = []
    this.#bytes = 0
  }
}
