const CR = 13
const LF = 10

/**
 * Finds the end of the body of an HTTP answer from its `content-length` or its chunk lengths, without parsing anything
 * else.
 */
export class BodyEnd {
  readonly #isChunked: boolean
  /** Bytes still to skip: of the body, or of a chunk and the line end behind it. */
  #rest: number
  /** The digits read so far of the next chunk's length. */
  #digits = ''
  #isLastChunk = false

  /** Throws when the head has neither a length nor chunks. */
  constructor(head: string) {
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    this.#isChunked = length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head)
    if (length === undefined && !this.#isChunked) throw new Error(`no length of the body: ${head}`)
    this.#rest = Number(length ?? 0)
  }

  /** Reads the bytes from `from` up to the end and returns whether the body is complete. */
  take(bytes: Uint8Array, from: number, to: number): boolean {
    let at = from
    for (;;) {
      const passed = Math.min(this.#rest, to - at)
      this.#rest -= passed
      at += passed
      if (this.#rest > 0) return false
      if (!this.#isChunked || this.#isLastChunk) return true
      if (at === to) return false
      at = this.#readLength(bytes, at, to)
    }
  }

  #readLength(bytes: Uint8Array, from: number, to: number): number {
    let at = from
    while (at < to && bytes[at] !== LF) {
      if (bytes[at] !== CR) this.#digits += String.fromCharCode(bytes[at])
      at++
    }
    if (at === to) return at
    const length = Number.parseInt(this.#digits, 16)
    this.#digits = ''
    this.#rest = length + 2
    this.#isLastChunk = length === 0
    return at + 1
  }
}
