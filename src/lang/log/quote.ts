import { escapeCodePoint, isWordCodePoint } from '../../data/index.ts'

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
