const CR = 13
const LF = 10

/** Finds where the body of an HTTP answer ends, by its length or by the lengths of its chunks, and looks at nothing else of it. */
export class BodyEnd {
  readonly #isChunked: boolean
  /** Bytes to pass over: of the body, or of a chunk and the line end behind it. */
  #rest: number
  /** Digits of the length of the next chunk so far. */
  #digits = ''
  #isLastChunk = false

  /** Throws where neither tells. */
  constructor(head: string) {
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    this.#isChunked = length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head)
    if (length === undefined && !this.#isChunked) throw new Error(`no length of the body: ${head}`)
    this.#rest = Number(length ?? 0)
  }

  /** Takes the bytes from one place up to another; says whether the body is whole. */
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
