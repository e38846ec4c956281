import type { ValueSyntax } from '../../store/index.ts'

/** What digits have in common. */
const DIGIT_MASK = 0xf0

/** Bits of a literal that count: of the digits in `[from, to)` any may stand there. */
export function digitMasks(literal: string, from: number, to: number): Uint8Array {
  return Uint8Array.from(literal, (char, i) => (i >= from && i < to && char >= '0' && char <= '9' ? DIGIT_MASK : 0xff))
}

/** Values of up to so many bytes that a pattern matches one by one. */
export function bytesOf(pattern: RegExp, most: number): ValueSyntax {
  const table = Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 1 : 0))
  return { kind: 'class', table, most }
}
