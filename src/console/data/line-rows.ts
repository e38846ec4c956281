import { LINE_FEED } from '../../base/index.ts'
/** Size of a block, bytes. A longer line gets a block of its own. */
const BLOCK_BYTES = 1 << 20

/** Count of numbers that are stored for each line: the index of its block, and its start and end in the block. */
const NUMBERS = 3

/** Rows of an answer as undecoded lines. A line is decoded when it is shown, to save the memory of parsed rows. */
export class LineRows {
  readonly #blocks: Uint8Array[] = []
  #last = new Uint8Array(0)
  /** Bytes used of the last block. */
  #used = 0
  #ranges = new Uint32Array(NUMBERS * 1024)
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
    const at = NUMBERS * index
    const bytes = this.#blocks[this.#ranges[at] ?? 0]
    return bytes === undefined ? '' : this.#decoder.decode(bytes.subarray(this.#ranges[at + 1], this.#ranges[at + 2]))
  }

  /** Removes lines at the end, so that `count` remain. */
  cut(count: number): void {
    this.#count = Math.min(this.#count, count)
    this.#rest = []
  }

  #add(last: Uint8Array): void {
    let length = last.length
    for (const chunk of this.#rest) length += chunk.length
    if (length === 0) return
    if (this.#used + length > this.#last.length) {
      this.#last = new Uint8Array(Math.max(BLOCK_BYTES, length))
      this.#blocks.push(this.#last)
      this.#used = 0
    }
    const at = NUMBERS * this.#count
    if (at === this.#ranges.length) {
      const ranges = new Uint32Array(2 * this.#ranges.length)
      ranges.set(this.#ranges)
      this.#ranges = ranges
    }
    this.#ranges[at] = this.#blocks.length - 1
    this.#ranges[at + 1] = this.#used
    for (const chunk of this.#rest) this.#append(chunk)
    this.#append(last)
    this.#ranges[at + 2] = this.#used
    this.#rest = []
    this.#count++
  }

  #append(chunk: Uint8Array): void {
    this.#last.set(chunk, this.#used)
    this.#used += chunk.length
  }
}
