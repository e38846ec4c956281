declare module 'unbzip2-stream/lib/bit_iterator.js' {
  /** Reads so many bits; `null` skips to the next whole byte. */
  export interface Bits {
    (count: number | null): number
    /** Bytes of which at least one bit was read. */
    readonly bytesRead: number
  }
  /** Asks for the next chunk, which must not be empty, as it needs it. */
  export default function bitsOf(next: () => Uint8Array): Bits
}

declare module 'unbzip2-stream/lib/bzip2.js' {
  import type { Bits } from 'unbzip2-stream/lib/bit_iterator.js'

  const bzip2: {
    /** Reads a header: how many hundred thousand bytes a block has before packing. */
    header(bits: Bits): number
    /** Unpacks a block; the checksum up to here, `null` behind the last block. Throws where the block is damaged. */
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
