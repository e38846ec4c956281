import type { Diagnostic } from '../base/index.ts'
import { formatLogql, logqlWordsAfter, parseLogql, parseLogqlOrThrow } from '../lang/logql/index.ts'
import { parseTraceql, parseTraceqlOrThrow, printTraceql, traceqlWordsAfter } from '../lang/traceql/index.ts'

/** A language besides the log language, as an editor needs it. */
export interface OtherLanguage {
  readonly check: (text: string) => readonly Diagnostic[]
  /** Throws SluiceError for a faulty text. */
  readonly format: (text: string) => string
  /** Keywords and functions that may follow a text. */
  readonly wordsAfter: (text: string) => readonly string[]
}

const languages: ReadonlyMap<string, OtherLanguage> = new Map([
  [
    'logql',
    {
      check: (text) => parseLogql(text).diagnostics,
      format: (text) => formatLogql(parseLogqlOrThrow(text)),
      wordsAfter: logqlWordsAfter,
    },
  ],
  [
    'traceql',
    {
      check: (text) => parseTraceql(text).diagnostics,
      format: (text) => printTraceql(parseTraceqlOrThrow(text)),
      wordsAfter: traceqlWordsAfter,
    },
  ],
])

/** Returns the language of a document by the name that an editor gives it, or by the ending of its address. */
export function otherLanguage(uri: string, languageId = ''): OtherLanguage | undefined {
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
