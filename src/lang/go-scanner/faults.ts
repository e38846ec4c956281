import { scanString } from '../promql/text/string-text.ts'

/** A part of the text that is not a valid token, with the reason in the wording of Go's scanner. */
export interface ScanFault<K extends string = 'string' | 'escape' | 'encoding' | 'character' | 'comment' | 'number'> {
  readonly kind: K
  readonly message: string
}

/** Returns the fault of a string token; `undefined` if it is valid. */
export function stringFault(image: string): ScanFault<'string' | 'escape' | 'encoding'> | undefined {
  const { error } = scanString(image, 0)
  if (error === undefined) return undefined
  if (error.startsWith('unterminated')) return { kind: 'string', message: 'literal not terminated' }
  if (error.startsWith('invalid UTF-8')) return { kind: 'encoding', message: 'invalid UTF-8 encoding' }
  // Go's scanner does not check the value of an escape; Go's unquoting, which runs later, does.
  const isValue = error.startsWith('escape sequence is')
  return { kind: 'escape', message: isValue ? 'invalid syntax' : 'invalid char escape' }
}

/** Returns the fault of a token in single quotes; `undefined` for a single character, which Go's scanner accepts. */
export function characterFault(image: string): ScanFault<'character'> | undefined {
  const isClosed = image.length > 1 && image.endsWith("'")
  if (isClosed && /^'(?:\\[^]+|[^\\])'$/u.test(image)) return undefined
  return { kind: 'character', message: isClosed ? 'invalid char literal' : 'literal not terminated' }
}

/** The fault of a comment that is never closed. */
export const openComment: ScanFault<'comment'> = { kind: 'comment', message: 'comment not terminated' }
