/** Views of one memory, with text output. */
export class Views {
  readonly bytes: Uint8Array
  readonly words: Uint32Array
  readonly ints: Int32Array
  readonly doubles: Float64Array

  constructor(buffer: ArrayBufferLike) {
    this.bytes = new Uint8Array(buffer)
    this.words = new Uint32Array(buffer)
    this.ints = new Int32Array(buffer)
    this.doubles = new Float64Array(buffer)
  }

  /** Writes ASCII text and returns its end. */
  write(text: string, at: number): number {
    for (let i = 0; i < text.length; i++) this.bytes[at + i] = text.charCodeAt(i)
    return at + text.length
  }

  copy(from: number, length: number, to: number): number {
    this.bytes.copyWithin(to, from, from + length)
    return to + length
  }
}

/** Whether kernels write the number themselves: `String` writes it without an exponent, a name or a lost sign. */
export function isPlainNumber(value: number): boolean {
  return (Math.abs(value) >= 1e-6 && Math.abs(value) < 1e21) || Object.is(value, 0)
}
