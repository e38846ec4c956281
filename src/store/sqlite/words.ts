import { codePointAt } from '../../base/index.ts'
import { fold, isWordCodePoint } from '../../data/index.ts'

/**
 * Tokens of the full-text index, separated by blanks. Each case-folded word is a token. Words that are not separated by
 * a single blank have a token between them that spells the separator. SQLite's `ascii` tokenizer (with `_` as a token
 * character) neither splits nor folds these tokens. So its words are exactly Sluice's, and a run of tokens is a phrase
 * with its punctuation.
 */
export interface Tokens {
  readonly tokens: readonly string[]
  /** True if there is text before the first word, which has no token. */
  readonly hasLeftEdge: boolean
  /** True if there is text after the last word, which has no token. */
  readonly hasRightEdge: boolean
  /** True if some token was truncated, so that it may represent other strings too. */
  readonly isCut: boolean
}

/** Tokens are truncated to this many UTF-16 units; FTS5 would truncate them at 32 KiB. */
const MAX_TOKEN = 200

/** Private-use characters that replace characters at which the tokenizer would split. */
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
 * Returns the end of the last word; -1 without words.
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

/** Returns the document that the index stores for a text. */
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
 * Returns the tokens that appear consecutively in the document of every text that contains this one, unless they are
 * truncated.
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

/** A query of the word index: phrases of tokens, combined by AND and OR. */
export type WordQuery =
  | { readonly kind: 'phrase'; readonly tokens: readonly string[]; readonly isPrefix: boolean }
  | { readonly kind: 'and' | 'or'; readonly args: readonly WordQuery[] }

/** Returns a word query in the syntax of FTS5; tokens contain no quotes. */
export function printWordQuery(query: WordQuery): string {
  if (query.kind === 'phrase') return `"${query.tokens.join(' ')}"${query.isPrefix ? ' *' : ''}`
  return `(${query.args.map(printWordQuery).join(query.kind === 'and' ? ' AND ' : ' OR ')})`
}
