declare module 'unbzip2-stream/lib/bit_iterator.js' {
  /** Reads this many bits; `null` skips to the next whole byte. */
  export interface Bits {
    (count: number | null): number
    /** The number of bytes of which at least one bit has been read. */
    readonly bytesRead: number
  }
  /** Returns a reader of bits. It calls `next` for each further chunk, which must not be empty. */
  export default function bitsOf(next: () => Uint8Array): Bits
}

declare module 'unbzip2-stream/lib/bzip2.js' {
  import type { Bits } from 'unbzip2-stream/lib/bit_iterator.js'

  const bzip2: {
    /** Reads a header and returns the block size before compression in units of 100,000 bytes. */
    header(bits: Bits): number
    /**
     * Decompresses a block. Returns the checksum so far, or `null` after the last block. Throws an error when the block
     * is damaged.
     */
    decompress(
      bits: Bits,
      push: (byte: number) => void,
      buffer: Int32Array,
      bufferLength: number,
      checksum: number,
    ): number | null
  }
  export default bzip2
}
