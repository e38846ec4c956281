import { codePointAt } from '../../base/index.ts'
import { fold, isWordCodePoint } from '../../data/index.ts'

/**
 * Tokens of the full-text index, which separates them by blanks. Each case-folded word is a token. Between words that
 * are not separated by exactly one blank, a further token spells the separator. SQLite's `ascii` tokenizer (with `_` as
 * a token character) neither splits nor folds these tokens. Therefore the indexed words are exactly Sluice's, and a
 * sequence of tokens is a phrase with its punctuation.
 */
export interface Tokens {
  readonly tokens: readonly string[]
  /** True if the text has characters before its first word; no token represents them. */
  readonly hasLeftEdge: boolean
  /** True if the text has characters after its last word; no token represents them. */
  readonly hasRightEdge: boolean
  /** True if some token was truncated, so that other strings may have the same tokens. */
  readonly isCut: boolean
}

/** Maximum length of a token, UTF-16 code units. FTS5 itself truncates tokens at 32 KiB. */
const MAX_TOKEN = 200

/** First private-use characters of ranges that replace the characters at which the tokenizer would split. */
const privateUse = {
  ascii: 0xe000,
  surrogate: 0xe100,
} as const
const PRIVATE_ESCAPE = '\uf8ff'

function spellSeparator(gap: string): string {
  let out = ''
  for (const char of gap) {
    const code = char.codePointAt(0) ?? 0
    if (code < 0x80) out += String.fromCharCode(privateUse.ascii + code)
    else if (code >= 0xd800 && code <= 0xdfff) out += String.fromCharCode(privateUse.surrogate + code - 0xd800)
    else if (code >= 0xe000 && code <= 0xf8ff) out += PRIVATE_ESCAPE + char
    else out += char
    if (out.length >= MAX_TOKEN) break
  }
  return out
}

function cutToken(token: string): string {
  if (token.length < MAX_TOKEN) return token
  const unit = token.charCodeAt(MAX_TOKEN - 1)
  return token.slice(0, unit >= 0xd800 && unit <= 0xdbff ? MAX_TOKEN - 1 : MAX_TOKEN)
}

/**
 * Calls `word` for each run of word characters of a folded text, and `gap` for each separator between two words.
 * Returns the end of the last word; -1 if there is no word.
 */
function scan(text: string, word: (from: number, to: number) => void, gap: (from: number, to: number) => void): number {
  let wordStart = -1
  let wordEnd = -1
  let i = 0
  while (i < text.length) {
    const unit = text.charCodeAt(i)
    const code = unit >= 0xd800 && unit <= 0xdbff ? (codePointAt(text, i) ?? unit) : unit
    if (isWordCodePoint(code)) {
      if (wordStart === -1) {
        if (wordEnd !== -1) gap(wordEnd, i)
        wordStart = i
      }
    } else if (wordStart !== -1) {
      word(wordStart, i)
      wordEnd = i
      wordStart = -1
    }
    i += code > 0xffff ? 2 : 1
  }
  if (wordStart !== -1) {
    word(wordStart, i)
    wordEnd = i
  }
  return wordEnd
}

/** Returns the document that the full-text index stores for a text. */
export function indexDocument(text: string): string {
  const folded = fold(text)
  let out = ''
  scan(
    folded,
    (from, to) => {
      const token = cutToken(folded.slice(from, to))
      out = out === '' ? token : `${out} ${token}`
    },
    (from, to) => {
      if (to - from === 1 && folded.charCodeAt(from) === 32) return
      out += ` ${cutToken(spellSeparator(folded.slice(from, to)))}`
    },
  )
  return out
}

/**
 * Returns tokens that are consecutive in the document of every text that contains this text. If `isCut` is true, some
 * of them are truncated.
 */
export function phraseTokens(text: string): Tokens {
  const folded = fold(text)
  const tokens: string[] = []
  let isCut = false
  let start = -1
  const push = (token: string): void => {
    if (token.length >= MAX_TOKEN - 1) isCut = true
    tokens.push(cutToken(token))
  }
  const end = scan(
    folded,
    (from, to) => {
      if (start === -1) start = from
      push(folded.slice(from, to))
    },
    (from, to) => {
      if (to - from !== 1 || folded.charCodeAt(from) !== 32) push(spellSeparator(folded.slice(from, to)))
    },
  )
  return { tokens, hasLeftEdge: start !== 0, hasRightEdge: end !== folded.length, isCut }
}

/** A query of the full-text index: phrases of tokens, combined by AND and OR. */
export type WordQuery =
  | { readonly kind: 'phrase'; readonly tokens: readonly string[]; readonly isPrefix: boolean }
  | { readonly kind: 'and' | 'or'; readonly args: readonly WordQuery[] }

/** Returns a query in the syntax of FTS5. Tokens contain no quotes, so none are escaped. */
export function printWordQuery(query: WordQuery): string {
  if (query.kind === 'phrase') return `"${query.tokens.join(' ')}"${query.isPrefix ? ' *' : ''}`
  return `(${query.args.map(printWordQuery).join(query.kind === 'and' ? ' AND ' : ' OR ')})`
}
