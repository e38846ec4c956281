import { Bytes } from '../../base/index.ts'
import type { TemplateMember, ValueSyntax } from '../../store/index.ts'

/** A syntax for values of at most `most` bytes, each of which the pattern matches. */
export function bytesOf(pattern: RegExp, most: number): ValueSyntax {
  const table = Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 1 : 0))
  return { kind: 'class', table, most }
}

/** A syntax for values that end before a byte. */
export function until(byte: number): ValueSyntax {
  return { kind: 'until', byte }
}

/** A value behind a literal; without a name it is passed over. */
export function memberOf(name: string, literal: string, syntax: ValueSyntax): TemplateMember {
  return { name, literal: Bytes.from(literal), syntax }
}
