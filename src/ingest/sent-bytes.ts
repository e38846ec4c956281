import { Bytes } from '../base/index.ts'

/** Reads protobuf numbers directly from the bytes of a body. The caller checks the position `at` after each read. */
export class SentBytes {
  readonly bytes: Bytes
  readonly view: DataView
  /** The offset after the value that was read last. */
  at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = Bytes.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Returns one half of a fixed64. */
  word(at: number): number {
    return this.view.getUint32(at, true)
  }

  /**
   * Reads a length of at most four bytes at `at` and moves `at` past it. Returns NaN for a longer one, or at the end of
   * the body.
   */
  length(): number {
    const { bytes } = this
    let value = bytes[this.at++] ?? 0x80
    if (value < 0x80) return value
    value &= 0x7f
    for (let shift = 7; shift < 28; shift += 7) {
      const byte = bytes[this.at++] ?? 0x80
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    return NaN
  }
}
