import type { Span } from '../../../base/index.ts'
import { escapeCodePoint, isWordCodePoint } from '../../../data/index.ts'

/** Quotes a text; characters that do not print are escaped. Parses back to the same text. */
export function quoteText(text: string): string {
  let quoted = '"'
  for (const char of text) quoted += escapeCodePoint(char.codePointAt(0) ?? 0, '"')
  return `${quoted}"`
}

/** True for a single run of word characters. */
export function isPlainWord(text: string): boolean {
  if (text === '') return false
  for (const char of text) if (!isWordCodePoint(char.codePointAt(0) ?? 0)) return false
  return true
}

/** A pattern with its parts quoted where needed; stars keep their meaning. */
export function quotePattern(text: string): string {
  return text
    .split('*')
    .map((part) => (part === '' || isPlainWord(part) ? part : quoteText(part)))
    .join('*')
}

/** Regular expression that matches only the text. */
export function quotedForRegexp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/** A replacement word for marks, with blanks where it would touch other text. */
export function wordBetween(source: string, { start, end }: Span, word: string): string {
  const before = /^[^\s]$/.test(source[start - 1] ?? '') ? ' ' : ''
  const after = /^[^\s]$/.test(source[end] ?? '') ? ' ' : ''
  return `${before}${word}${after}`
}
