import { scanString } from '../promql/text/string-text.ts'

/** A part of a text that is no token, with the reason in the words of Go's scanner. */
export interface ScanFault<K extends string = 'string' | 'escape' | 'encoding' | 'character' | 'comment' | 'number'> {
  readonly kind: K
  readonly message: string
}

/** Says what is wrong with a string token; `undefined` if nothing is. */
export function stringFault(image: string): ScanFault<'string' | 'escape' | 'encoding'> | undefined {
  const { error } = scanString(image, 0)
  if (error === undefined) return undefined
  if (error.startsWith('unterminated')) return { kind: 'string', message: 'literal not terminated' }
  if (error.startsWith('invalid UTF-8')) return { kind: 'encoding', message: 'invalid UTF-8 encoding' }
  // The scanner does not look at the value of an escape; what reads the string does.
  const isValue = error.startsWith('escape sequence is')
  return { kind: 'escape', message: isValue ? 'invalid syntax' : 'invalid char escape' }
}

/** Says what is wrong with a token in single quotes; `undefined` for one character, which Go accepts. */
export function characterFault(image: string): ScanFault<'character'> | undefined {
  const isClosed = image.length > 1 && image.endsWith("'")
  if (isClosed && /^'(?:\\[^]+|[^\\])'$/u.test(image)) return undefined
  return { kind: 'character', message: isClosed ? 'invalid char literal' : 'literal not terminated' }
}

/** The fault of a comment that never closes. */
export const openComment: ScanFault<'comment'> = { kind: 'comment', message: 'comment not terminated' }
