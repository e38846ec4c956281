import type { ValueSyntax } from '../../store/index.ts'

/** The bits that are the same in all digits. */
const DIGIT_MASK = 0xf0

/** Bits of a literal that count: of the digits in `[from, to)` any may stand there. */
export function digitMasks(literal: string, from: number, to: number): Uint8Array {
  return Uint8Array.from(literal, (char, i) => (i >= from && i < to && char >= '0' && char <= '9' ? DIGIT_MASK : 0xff))
}

/** A syntax for values of at most `most` bytes, each of which the pattern matches. */
export function bytesOf(pattern: RegExp, most: number): ValueSyntax {
  const table = Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 1 : 0))
  return { kind: 'class', table, most }
}
