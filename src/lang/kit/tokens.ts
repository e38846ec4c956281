import type { IToken, TokenType as LibraryTokenType } from 'chevrotain'

/** A kind of token: a mark, a keyword, or a category of others. */
export type TokenType = LibraryTokenType

/** A token of a text. Chevrotain matches tokens by `tokenTypeIdx`, so `retype` changes both fields. */
export type Token = IToken

/** Stands behind the last token and before the first one. */
export const EOF: TokenType = { name: 'EOF', LABEL: 'EOF', CATEGORIES: [] }

/** The `GROUP` of tokens that no parser sees, such as white space. */
export const SKIPPED = 'skipped'

/** How the lexer finds tokens of a type. Function patterns need `START_CHARS_HINT`. */
export type Lexed = Pick<TokenType, 'PATTERN' | 'GROUP' | 'PUSH_MODE' | 'POP_MODE' | 'START_CHARS_HINT' | 'LINE_BREAKS'>

/**
 * The token types of one language. Rule files create keywords at import; Chevrotain numbers all types when the parser is
 * built, and only then may the lexer run.
 */
export class TokenBuilder {
  readonly #types = new Map<string, TokenType>()
  readonly #keywords = new Map<string, TokenType>()

  /** Every type, in the order of creation. */
  get vocabulary(): TokenType[] {
    return [...this.#types.values()]
  }

  /** A type; one that is not `lexed` is a category, or its tokens get it by `retype`. `label` is its name in messages, if messages name it. */
  type(name: string, label?: string, categories: readonly TokenType[] = [], lexed: Lexed = {}): TokenType {
    const type: TokenType = { ...lexed, name, CATEGORIES: [...categories] }
    if (label !== undefined) type.LABEL = label
    this.#types.set(name, type)
    return type
  }

  /** A fixed string of marks. */
  punctuation(name: string, mark: string, categories: readonly TokenType[] = [], lexed: Lexed = {}): TokenType {
    return this.type(name, mark, categories, { PATTERN: mark, ...lexed })
  }

  /** A word that rules may ask for; any case matches. The same word gives the same type. */
  keyword(word: string, categories: readonly TokenType[], name = `Kw_${word}`): TokenType {
    const known = this.#keywords.get(word)
    if (known !== undefined) return known
    const type = this.type(name, word, categories)
    this.#keywords.set(word, type)
    return type
  }

  /** The keyword that a word is, if any. `word` is in lower case. */
  keywordOf(word: string): TokenType | undefined {
    return this.#keywords.get(word)
  }
}

/** Gives a lexed token another type: words become keywords that way. */
export function retype(token: Token, type: TokenType): void {
  token.tokenType = type
  // Types have numbers once the parser is built; no parser takes a token with the number 0.
  token.tokenTypeIdx = type.tokenTypeIdx ?? 0
}
