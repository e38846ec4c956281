import type { IToken, TokenType as LibraryTokenType } from 'chevrotain'

/** A type of token: a fixed string, a keyword, or a category of other types. */
export type TokenType = LibraryTokenType

/**
 * A token of a text. Change its type only by `retype`, which also updates `tokenTypeIdx`, the field that Chevrotain
 * compares.
 */
export type Token = IToken

/** Token type of the end token, which represents the positions before the first and after the last token. */
export const EOF: TokenType = { name: 'EOF', LABEL: 'EOF', CATEGORIES: [] }

/** Value of `GROUP` for tokens that no parser receives, such as white space. */
export const SKIPPED = 'skipped'

/** Lexer settings of a token type. Patterns that are functions need `START_CHARS_HINT`. */
export type Lexed = Pick<TokenType, 'PATTERN' | 'GROUP' | 'PUSH_MODE' | 'POP_MODE' | 'START_CHARS_HINT' | 'LINE_BREAKS'>

/**
 * Collects the token types of one language. Files with grammar rules create keywords when they are imported. Chevrotain
 * numbers all types when the parser is built; the lexer must not run earlier.
 */
export class TokenBuilder {
  readonly #types = new Map<string, TokenType>()
  readonly #keywords = new Map<string, TokenType>()

  /** All token types, in the order of creation. */
  get vocabulary(): TokenType[] {
    return [...this.#types.values()]
  }

  /**
   * Creates a token type. Without `lexed`, the type is a category, or is assigned to tokens by `retype`. `label` is the
   * name in messages.
   */
  type(name: string, label?: string, categories: readonly TokenType[] = [], lexed: Lexed = {}): TokenType {
    const type: TokenType = { ...lexed, name, CATEGORIES: [...categories] }
    if (label !== undefined) type.LABEL = label
    this.#types.set(name, type)
    return type
  }

  /** Creates the token type of a fixed string such as `(`. */
  punctuation(name: string, mark: string, categories: readonly TokenType[] = [], lexed: Lexed = {}): TokenType {
    return this.type(name, mark, categories, { PATTERN: mark, ...lexed })
  }

  /** Returns the token type of a keyword, which matches in any case. Creates the type at the first call for a word. */
  keyword(word: string, categories: readonly TokenType[], name = `Kw_${word}`): TokenType {
    const known = this.#keywords.get(word)
    if (known !== undefined) return known
    const type = this.type(name, word, categories)
    this.#keywords.set(word, type)
    return type
  }

  /** Returns the keyword type of a word in lower case; `undefined` if the word is no keyword. */
  keywordOf(word: string): TokenType | undefined {
    return this.#keywords.get(word)
  }
}

/** Changes the type of a token, for example when a word becomes a keyword. */
export function retype(token: Token, type: TokenType): void {
  token.tokenType = type
  // Types get their numbers when the parser is built. Until then the number is 0, which no parser accepts.
  token.tokenTypeIdx = type.tokenTypeIdx ?? 0
}
