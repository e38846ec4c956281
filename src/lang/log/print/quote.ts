import type { Span } from '../../../base/index.ts'
import { escapeCodePoint, isWordCodePoint } from '../../../data/index.ts'

/** The text in double quotes, with every character that would not print as an escape; reads back to the same text. */
export function quoteText(text: string): string {
  let quoted = '"'
  for (const char of text) quoted += escapeCodePoint(char.codePointAt(0) ?? 0, '"')
  return `${quoted}"`
}

/** One maximal run of word characters and nothing else. */
export function isPlainWord(text: string): boolean {
  if (text === '') return false
  for (const char of text) if (!isWordCodePoint(char.codePointAt(0) ?? 0)) return false
  return true
}

/** A text with its parts between stars in quotes, where they need them: its stars still stand for any text. */
export function quotePattern(text: string): string {
  return text
    .split('*')
    .map((part) => (part === '' || isPlainWord(part) ? part : quoteText(part)))
    .join('*')
}

/** A regular expression that matches the text and nothing else. */
export function quotedForRegexp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/** A word in the place of some marks, apart from what the marks touch. */
export function wordBetween(source: string, { start, end }: Span, word: string): string {
  const before = /^[^\s]$/.test(source[start - 1] ?? '') ? ' ' : ''
  const after = /^[^\s]$/.test(source[end] ?? '') ? ' ' : ''
  return `${before}${word}${after}`
}
