import type { ValueSyntax } from '../../store/index.ts'

/** A syntax for values of at most `most` bytes, each of which the pattern matches. */
export function bytesOf(pattern: RegExp, most: number): ValueSyntax {
  const table = Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 1 : 0))
  return { kind: 'class', table, most }
}
