import { Bytes } from '../../base/index.ts'
import type { TemplateMember, ValueSyntax } from '../../store/index.ts'

/** Returns a syntax for values of at most `most` bytes, each of which matches the pattern. */
export function bytesOf(pattern: RegExp, most: number): ValueSyntax {
  const table = Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 1 : 0))
  return { kind: 'class', table, most }
}

/** Returns a syntax for values that end before the given byte. */
export function until(byte: number): ValueSyntax {
  return { kind: 'until', byte }
}

/** Returns a member whose value follows a literal. A value without a name is skipped. */
export function memberOf(name: string, literal: string, syntax: ValueSyntax): TemplateMember {
  return { name, literal: Bytes.from(literal), syntax }
}
