import { Bytes } from '../base/index.ts'

/** Reads numbers of protobuf where they lie in a body; whoever reads looks at where the reading has come to. */
export class SentBytes {
  readonly bytes: Bytes
  readonly view: DataView
  /** Behind what was read last. */
  at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = Bytes.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Half of a fixed64. */
  word(at: number): number {
    return this.view.getUint32(at, true)
  }

  /** A length of up to four bytes at `at`, which then is behind it; NaN for a longer one, or behind the end of the body. */
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
