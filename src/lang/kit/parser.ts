import { span, type Diagnostic, type Span } from '../../base/index.ts'
import type { Alternative, Engine, LibraryRule, Optional } from './engine.ts'
import type { Production } from './grammar.ts'
import { loadEngine } from './load.cjs'
import { EOF, type Token, type TokenType } from './tokens.ts'

/** A grammar rule; pass it only to `subrule` and `read`. The type parameters are its arguments and its result. */
export type Rule<A extends unknown[], R> = (...args: A) => R

/** Thrown when a rule finds text that it cannot parse. `attempt` catches it. */
export class SyntaxFault extends Error {
  readonly diagnostic: Diagnostic

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message)
    this.diagnostic = diagnostic
  }
}

/** Thrown when a limit is exceeded. `attempt` does not catch it, so that the remaining text is not parsed. */
export class LimitFault extends SyntaxFault {}

/** State that the parser of every language has for one text. */
export interface KitSession {
  readonly source: string
  /** `depth` is the maximum nesting depth of calls of `nested`. */
  readonly limits: { readonly depth: number }
  readonly report: (diagnostic: Diagnostic) => void
}

/** A token that does not fit the grammar at its position. */
export interface Mismatch<T extends Token> {
  readonly token: T
  readonly previous: T
  /** Token types that are allowed at the position, without duplicates, in grammar order. */
  readonly expected: readonly TokenType[]
  /** Names of the grammar rules that were being parsed, outermost first. */
  readonly ruleStack: readonly string[]
}

export interface LanguageOptions {
  readonly vocabulary: TokenType[]
  /** Pairs of token types: an opening bracket and its closing bracket. */
  readonly brackets: readonly (readonly [TokenType, TokenType])[]
  /** Token types at which parsing continues after an error, besides the closing bracket of the same level. */
  readonly resumeAt: readonly TokenType[]
  /** True to validate the grammar, which is slow; set by tests only. */
  readonly isValidated: boolean
}

/**
 * Number of possible occurrence numbers. Each use of a Chevrotain method in a rule needs a number from 0 to 255 that is
 * unique for that method and rule.
 */
const OCCURRENCES = 256

/** Matches labels of keywords, including intrinsic scopes, which end with a colon. */
const WORD = /^[a-z_][a-z0-9_]*:?$/i

/**
 * Base class of every parser: Chevrotain's grammar methods, positions, limits and error recovery. A subclass registers
 * its rules in its constructor and then calls `build`. One instance parses any number of texts, one at a time.
 */
export abstract class LanguageParser<S extends KitSession, T extends Token> {
  /** State of the text being parsed. While rules are recorded, this is the session passed to the constructor. */
  session: S
  readonly #engine: Engine
  readonly #end: T
  readonly #closerOf: ReadonlyMap<TokenType, TokenType>
  readonly #closers: ReadonlySet<TokenType>
  readonly #resumeAt: ReadonlySet<TokenType>
  readonly #vocabulary: readonly TokenType[]
  #tokens: readonly T[] = []
  #depth = 0
  #isRecording = false
  #occurrence = 0

  constructor(recordingSession: S, end: T, { vocabulary, brackets, resumeAt, isValidated }: LanguageOptions) {
    this.session = recordingSession
    this.#engine = new (loadEngine().Engine)(vocabulary, isValidated)
    this.#end = end
    this.#closerOf = new Map(brackets)
    this.#closers = new Set(this.#closerOf.values())
    this.#resumeAt = new Set(resumeAt)
    this.#vocabulary = vocabulary
  }

  /** Returns the diagnostic for a token that does not fit the grammar. */
  abstract explain(mismatch: Mismatch<T>): Diagnostic

  /** Returns the diagnostic for a text that nests deeper than the session allows. */
  abstract explainDepth(limit: number, where: Span): Diagnostic

  /** Records the grammar rules. No rule can be added afterwards. */
  protected build(): void {
    this.#isRecording = true
    this.#engine.performSelfAnalysis()
    this.#isRecording = false
  }

  /** The grammar as data, with rules in the order of registration. */
  get grammar(): readonly Production[] {
    return this.#engine.getSerializedGastProductions()
  }

  /**
   * Parses tokens by one rule. Throws a `LimitFault`, a `SyntaxFault` outside `attempt`, and any error that `report`
   * throws.
   */
  read<R>(rule: Rule<[], R>, tokens: readonly T[], session: S): R {
    this.session = session
    this.#tokens = tokens
    this.#depth = 0
    // Copied, because Chevrotain appends end tokens to the array while it parses.
    this.#engine.input = [...tokens]
    return rule.call(this.#engine)
  }

  /**
   * Returns the token types that may follow a text, without duplicates: those that the decisions reached at the end of
   * the text accept, with gates evaluated.
   */
  contentAssist(rule: Rule<[], unknown>, tokens: readonly T[], session: S): readonly TokenType[] {
    const wanted = new Set<TokenType>()
    this.#engine.wanted = wanted
    try {
      this.read(rule, tokens, session)
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error
    } finally {
      this.#engine.wanted = undefined
    }
    return [...wanted]
  }

  /**
   * Returns the words that may follow a text, in vocabulary order: keywords, and words of categories such as functions.
   */
  wordsAfter(rule: Rule<[], unknown>, tokens: readonly T[], session: S): readonly string[] {
    const wanted = new Set(this.contentAssist(rule, tokens, session))
    const isWanted = (type: TokenType): boolean => wanted.has(type) || (type.CATEGORIES ?? []).some(isWanted)
    return this.#vocabulary.flatMap((type) =>
      type.LABEL !== undefined && WORD.test(type.LABEL) && isWanted(type) ? [type.LABEL] : [],
    )
  }

  // Grammar methods, as in Chevrotain's manual. The number passed to `option`, `many`, `atLeastOne` or `or` must be
  // unique for that method in the rule.

  RULE<A extends unknown[], R>(name: string, read: (...args: A) => R): Rule<A, R> {
    return this.#engine.RULE(name, read as LibraryRule) as Rule<A, R>
  }

  consume(type: TokenType): T {
    const engine = this.#engine
    return (
      this.#isRecording ? engine.consumeInternalRecord(type, this.#newOccurrence()) : engine.consume(0, type)
    ) as T
  }

  subrule<A extends unknown[], R>(rule: Rule<A, R>, ...args: A): R {
    const engine = this.#engine
    const library = rule as LibraryRule
    if (this.#isRecording) return engine.subruleInternalRecord(library, this.#newOccurrence()) as R
    return engine.subrule(0, library, args.length === 0 ? undefined : { ARGS: args }) as R
  }

  option<R>(occurrence: number, body: (() => R) | Optional<R>): R | undefined {
    const engine = this.#engine
    return (this.#isRecording ? engine.optionInternalRecord(body, occurrence) : engine.option(occurrence, body)) as R
  }

  many(occurrence: number, body: (() => unknown) | Optional<unknown>): void {
    if (this.#isRecording) this.#engine.manyInternalRecord(occurrence, body)
    else this.#engine.many(occurrence, body)
  }

  atLeastOne(occurrence: number, body: (() => unknown) | Optional<unknown>): void {
    if (this.#isRecording) this.#engine.atLeastOneInternalRecord(occurrence, body)
    else this.#engine.atLeastOne(occurrence, body)
  }

  or<R>(occurrence: number, alternatives: readonly Alternative<R>[]): R {
    const engine = this.#engine
    return (
      this.#isRecording ? engine.orInternalRecord(alternatives, occurrence) : engine.or(occurrence, alternatives)
    ) as R
  }

  /**
   * Runs code that uses tokens or values. Skipped while rules are recorded, because tokens and values are placeholders
   * then.
   */
  ACTION<R>(action: () => R): R {
    return this.#isRecording ? (undefined as R) : action()
  }

  /** Returns a new occurrence number for a grammar method; Chevrotain requires the numbers for validation. */
  #newOccurrence(): number {
    return (this.#occurrence = (this.#occurrence + 1) % OCCURRENCES)
  }

  /**
   * Returns the token at a distance: 1 is the next token, 0 the token before it. Returns the end token outside the
   * text.
   */
  LA(distance: number): T {
    return this.#tokens[this.position + distance - 1] ?? this.#end
  }

  /** Index of the next token. */
  get position(): number {
    return this.#engine.exportLexerState() + 1
  }

  SKIP_TOKEN(): void {
    this.#engine.SKIP_TOKEN()
  }

  isNext(type: TokenType, distance = 1): boolean {
    const { tokenType } = this.LA(distance)
    return tokenType === type || tokenType.CATEGORIES?.includes(type) === true
  }

  isNextOneOf(types: readonly TokenType[], distance = 1): boolean {
    return types.some((type) => this.isNext(type, distance))
  }

  /**
   * True if the token at `distance` has exactly one of the types. Categories never match, because subtypes are not
   * considered.
   */
  isNextIn(types: ReadonlySet<TokenType>, distance = 1): boolean {
    return types.has(this.LA(distance).tokenType)
  }

  /** True if the token at `distance` directly follows the token before it, without a blank. */
  touches(distance = 1): boolean {
    const after = this.LA(distance)
    return after !== this.#end && after.startOffset === endOf(this.LA(distance - 1))
  }

  /** Offset of the next token in UTF-16 units; the end of the text if there is none. */
  startOffset(): number {
    return this.tokenSpan(this.LA(1)).start
  }

  /** End offset of the last consumed token; 0 before the first token. */
  endOffset(): number {
    return endOf(this.LA(0))
  }

  spanFrom(start: number): Span {
    return span(start, Math.max(start, this.endOffset()))
  }

  tokenSpan(token: T): Span {
    const { length } = this.session.source
    return token === this.#end ? span(length, length) : span(token.startOffset, endOf(token))
  }

  report(diagnostic: Diagnostic): void {
    this.session.report(diagnostic)
  }

  fail(diagnostic: Diagnostic): never {
    throw new SyntaxFault(diagnostic)
  }

  /** Fails like `consume` unless the next token has one of the types, but does not consume the token. */
  expectNext(types: readonly TokenType[]): void {
    if (this.#isRecording || this.isNextOneOf(types)) return
    this.#engine.noteAtEnd(types)
    this.#engine.failExpecting(types)
  }

  /** Runs `inner` one nesting level deeper; fails if the depth exceeds the limit. */
  nested<R>(inner: () => R): R {
    if (this.#isRecording) return inner()
    const limit = this.session.limits.depth
    if (++this.#depth > limit) throw new LimitFault(this.explainDepth(limit, this.tokenSpan(this.LA(0))))
    try {
      return inner()
    } finally {
      this.#depth--
    }
  }

  /**
   * Parses a part of the text. On an error, reports the error, skips to a position where parsing can continue, and
   * returns the result of `fallback`, so that later errors are found too. Takes time linear in the number of skipped
   * tokens.
   */
  attempt<R>(read: () => R, fallback: (where: Span) => R): R {
    if (this.#isRecording) return read()
    const { position } = this
    const start = this.startOffset()
    const depth = this.#depth
    try {
      return read()
    } catch (error) {
      const diagnostic = this.#diagnosticOf(error)
      if (diagnostic === undefined) throw error
      this.#engine.wanted = undefined
      this.#depth = depth
      this.report(diagnostic)
      this.#skip(position)
      return fallback(this.spanFrom(start))
    }
  }

  #diagnosticOf(error: unknown): Diagnostic | undefined {
    if (error instanceof SyntaxFault) return error instanceof LimitFault ? undefined : error.diagnostic
    const mismatch = this.#engine.mismatchOf(error)
    if (mismatch === undefined) return undefined
    const expected = [...new Set(mismatch.expected)]
    return this.explain({ token: this.LA(1), previous: this.LA(0), expected, ruleStack: mismatch.ruleStack })
  }

  /** Skips to a token in `resumeAt` or to a closing bracket, at the bracket level of token number `from`. */
  #skip(from: number): void {
    // Accepted even inside a bracket, because the bracket may never have been closed.
    if (this.isNextIn(this.#resumeAt)) return
    let open = Math.max(
      0,
      this.#tokens.slice(from, this.position).reduce((level, token) => level + this.#levelChange(token), 0),
    )
    for (let token = this.LA(1); token !== this.#end; token = this.LA(1)) {
      const change = this.#levelChange(token)
      if (open === 0 && (change === -1 || this.isNextIn(this.#resumeAt))) return
      open += change
      this.SKIP_TOKEN()
    }
  }

  #levelChange({ tokenType }: T): number {
    return this.#closerOf.has(tokenType) ? 1 : this.#closers.has(tokenType) ? -1 : 0
  }
}

function endOf({ startOffset, image }: Token): number {
  return startOffset === -1 ? 0 : startOffset + image.length
}

/** Returns a token for the positions before the first and after the last token. */
export function endToken(): Token {
  return { tokenType: EOF, tokenTypeIdx: -1, image: '', startOffset: -1, endOffset: -1 }
}
