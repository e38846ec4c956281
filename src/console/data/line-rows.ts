/** Size of a block, bytes. A longer line gets a block of its own. */
const BLOCK_BYTES = 1 << 20

const LINE_FEED = 10

/** Rows of an answer as undecoded lines. A line is decoded when it is shown, to save the memory of parsed rows. */
export class LineRows {
  readonly #blocks: Uint8Array[] = []
  #used = BLOCK_BYTES
  /** Block index, start and end of each line: three numbers for each. */
  #places = new Uint32Array(3 * 1024)
  #count = 0
  /** The incomplete last line. */
  #rest: Uint8Array[] = []
  readonly #decoder = new TextDecoder()

  get count(): number {
    return this.#count
  }

  /** Appends a chunk and returns the number of lines that ended in it. */
  append(bytes: Uint8Array): number {
    const before = this.#count
    let start = 0
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      this.#add(bytes.subarray(start, end))
      start = end + 1
    }
    if (start < bytes.length) this.#rest.push(bytes.slice(start))
    return this.#count - before
  }

  /** Completes the last line, which may lack a line feed. */
  end(): void {
    if (this.#rest.length > 0) this.#add(new Uint8Array(0))
  }

  line(index: number): string {
    const [block, start, end] = this.#places.subarray(3 * index, 3 * index + 3)
    const bytes = this.#blocks[block ?? 0]
    return bytes === undefined ? '' : this.#decoder.decode(bytes.subarray(start, end))
  }

  /** Removes lines at the end, so that `count` remain. */
  cut(count: number): void {
    this.#count = Math.min(this.#count, count)
    this.#rest = []
  }

  #add(last: Uint8Array): void {
    const pieces = [...this.#rest, last]
    this.#rest = []
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (length === 0) return
    if (this.#used + length > (this.#blocks.at(-1)?.length ?? 0)) {
      this.#blocks.push(new Uint8Array(Math.max(BLOCK_BYTES, length)))
      this.#used = 0
    }
    const block = this.#blocks.at(-1)
    if (3 * this.#count === this.#places.length) {
      const places = new Uint32Array(2 * this.#places.length)
      places.set(this.#places)
      this.#places = places
    }
    this.#places.set([this.#blocks.length - 1, this.#used, this.#used + length], 3 * this.#count)
    for (const piece of pieces) {
      block?.set(piece, this.#used)
      this.#used += piece.length
    }
    this.#count++
  }
}
