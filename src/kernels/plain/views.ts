/** Typed arrays over one memory, with a method that writes text. */
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

  /** Writes an ASCII string and returns the address after it. */
  write(text: string, at: number): number {
    for (let i = 0; i < text.length; i++) this.bytes[at + i] = text.charCodeAt(i)
    return at + text.length
  }

  copy(from: number, length: number, to: number): number {
    this.bytes.copyWithin(to, from, from + length)
    return to + length
  }
}

/**
 * Returns whether kernels write the number themselves. They do not write numbers that `String` prints with an exponent
 * or as a name, and not -0.
 */
export function isPlainNumber(value: number): boolean {
  return (Math.abs(value) >= 1e-6 && Math.abs(value) < 1e21) || Object.is(value, 0)
}
