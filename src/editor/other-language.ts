import type { Diagnostic } from '../base/index.ts'

/** A language besides the log language, as an editor needs it. */
export interface OtherLanguage {
  readonly check: (text: string) => readonly Diagnostic[]
  /** Throws SluiceError for a faulty text. */
  readonly format: (text: string) => string
  /** Keywords and functions that may follow a text. */
  readonly wordsAfter: (text: string) => readonly string[]
}

/** Languages by the name that editors give them, which is also the ending of their files. */
export type OtherLanguages = ReadonlyMap<string, OtherLanguage>

/** Returns the language of a document by its name, or by the ending of its address. */
export function languageOf(languages: OtherLanguages, uri: string, languageId = ''): OtherLanguage | undefined {
  return languages.get(languageId) ?? languages.get(/\.(\w+)$/.exec(uri)?.[1] ?? '')
}

/** Completions of the word before an offset. */
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
