import type { Bits } from 'unbzip2-stream/lib/bit_iterator.js'
import { CHUNK_BYTES } from '../../base/index.ts'

/**
 * Returns the maximum size of a compressed block, bytes. `level` is the block size before compression in units of
 * 100,000 bytes.
 */
const packedBytes = (level: number): number => 25_000 + 100_000 * level

/**
 * Collects bytes one at a time in fixed-size chunks. A single buffer that grows by doubling would have to be copied,
 * and both copies would be in memory at once.
 */
class Output {
  readonly #pieces: Uint8Array[] = []
  #piece = new Uint8Array(CHUNK_BYTES)
  #length = 0

  push(byte: number): void {
    if (this.#length === CHUNK_BYTES) {
      this.#pieces.push(this.#piece)
      this.#piece = new Uint8Array(CHUNK_BYTES)
      this.#length = 0
    }
    this.#piece[this.#length++] = byte
  }

  taken(): readonly Uint8Array[] {
    return [...this.#pieces, this.#piece.subarray(0, this.#length)].filter(({ length }) => length > 0)
  }
}

/**
 * Yields the content of a bzip2 file block by block. The library's own stream decompresses all blocks of its input
 * before anyone reads them, each as an array of numbers. A block decompresses to at most 46 MB. Throws an error when
 * the file is damaged or truncated.
 */
export async function* bzip2Unpacked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { default: bzip2 } = await import('unbzip2-stream/lib/bzip2.js')
  const { default: bitsOf } = await import('unbzip2-stream/lib/bit_iterator.js')
  const queue: Uint8Array[] = []
  let receivedBytes = 0
  let bits: Bits | undefined
  let level = 0
  let checksum: number | null = null
  let scratch = new Int32Array(0)

  /** Returns the content of the next block; an empty list for a header or a trailer. */
  const unpackNext = (from: Bits): Iterable<Uint8Array> => {
    if (checksum === null) {
      level = bzip2.header(from)
      checksum = 0
      scratch = new Int32Array(100_000 * level)
      return []
    }
    const output = new Output()
    checksum = bzip2.decompress(from, (byte) => output.push(byte), scratch, scratch.length, checksum)
    return output.taken()
  }

  for await (const chunk of source) {
    if (chunk.length === 0) continue
    queue.push(chunk)
    receivedBytes += chunk.length
    bits ??= bitsOf(() => {
      const next = queue.shift()
      if (next === undefined) throw new Error('it ends early')
      return next
    })
    while (receivedBytes - bits.bytesRead >= packedBytes(level)) yield* unpackNext(bits)
  }
  const rest = bits
  if (rest !== undefined) while (receivedBytes > rest.bytesRead) yield* unpackNext(rest)
  if (checksum !== null) throw new Error('it ends early')
}
