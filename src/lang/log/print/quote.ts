import type { Span } from '../../../base/index.ts'
import { escapeCodePoint, isWordCodePoint } from '../../../data/index.ts'

/** Returns a string in quotes, with escapes for characters that do not print. Parsing gives back the same string. */
export function quoteText(text: string): string {
  let quoted = '"'
  for (const char of text) quoted += escapeCodePoint(char.codePointAt(0) ?? 0, '"')
  return `${quoted}"`
}

/** True if a string consists of word characters only. */
export function isPlainWord(text: string): boolean {
  if (text === '') return false
  for (const char of text) if (!isWordCodePoint(char.codePointAt(0) ?? 0)) return false
  return true
}

/** Prints a pattern: parts are quoted where needed, stars stay unquoted. */
export function quotePattern(text: string): string {
  return text
    .split('*')
    .map((part) => (part === '' || isPlainWord(part) ? part : quoteText(part)))
    .join('*')
}

/** Returns a regular expression that matches exactly this text. */
export function quotedForRegexp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/** Returns a word to insert at a span, with blanks added on a side where it would touch other text. */
export function wordBetween(source: string, { start, end }: Span, word: string): string {
  const before = /^[^\s]$/.test(source[start - 1] ?? '') ? ' ' : ''
  const after = /^[^\s]$/.test(source[end] ?? '') ? ' ' : ''
  return `${before}${word}${after}`
}
