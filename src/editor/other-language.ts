import type { Diagnostic } from '../base/index.ts'

/** Functions that the language service needs for a language other than the log language. */
export interface OtherLanguage {
  readonly check: (text: string) => readonly Diagnostic[]
  /** Returns the formatted text. Throws SluiceError if the text has errors. */
  readonly format: (text: string) => string
  /** Returns the keywords and functions that are valid at the end of a text. */
  readonly wordsAfter: (text: string) => readonly string[]
}

/** Languages by language id, which is also their file extension. */
export type OtherLanguages = ReadonlyMap<string, OtherLanguage>

/** Returns the language of a document by its language id, or by its file extension. */
export function languageOf(languages: OtherLanguages, uri: string, languageId = ''): OtherLanguage | undefined {
  return languages.get(languageId) ?? languages.get(/\.(\w+)$/.exec(uri)?.[1] ?? '')
}

/** Completes the word before an offset with keywords and functions. */
export function wordsAt(
  { wordsAfter }: OtherLanguage,
  text: string,
  offset: number,
): { readonly start: number; readonly words: readonly string[] } {
  const [typed = ''] = /[a-z_]\w*$/i.exec(text.slice(0, offset)) ?? []
  const start = offset - typed.length
  const words = wordsAfter(text.slice(0, start)).filter((word) => word.startsWith(typed))
  return { start, words }
}
