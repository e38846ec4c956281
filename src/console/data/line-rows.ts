/** Bytes of a block; a longer line has a block of its own. */
const BLOCK_BYTES = 1 << 20

const LINE_FEED = 10

/**
 * Lines of an answer as bytes, with the place of each. A line is decoded when it is shown, so a million rows are no
 * million objects.
 */
export class LineRows {
  readonly #blocks: Uint8Array[] = []
  #used = BLOCK_BYTES
  /** Block, start and end of each line, three numbers a line. */
  #places = new Uint32Array(3 * 1024)
  #count = 0
  /** The beginning of a line whose end has not arrived. */
  #rest: Uint8Array[] = []
  readonly #decoder = new TextDecoder()

  get count(): number {
    return this.#count
  }

  /** Takes a piece of the answer and returns the number of lines that ended in it. */
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

  /** Takes the last line, which may have no line feed. */
  end(): void {
    if (this.#rest.length > 0) this.#add(new Uint8Array(0))
  }

  line(index: number): string {
    const [block, start, end] = this.#places.subarray(3 * index, 3 * index + 3)
    const bytes = this.#blocks[block ?? 0]
    return bytes === undefined ? '' : this.#decoder.decode(bytes.subarray(start, end))
  }

  /** Removes the last lines, so that `count` remain. */
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
