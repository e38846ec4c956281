import { span, type Diagnostic, type Span } from '../../base/index.ts'
import type { Alternative, Engine, LibraryRule, Optional } from './engine.ts'
import type { Production } from './grammar.ts'
import { loadEngine } from './load.cjs'
import { EOF, type Token, type TokenType } from './tokens.ts'

/** A rule, for `subrule` and `read` alone: its arguments and the value that it returns. */
export type Rule<A extends unknown[], R> = (...args: A) => R

/** A rule found something that it cannot read past; `attempt` catches it. */
export class SyntaxFault extends Error {
  readonly diagnostic: Diagnostic

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message)
    this.diagnostic = diagnostic
  }
}

/** A limit is exceeded: no `attempt` catches it, and the rest of the text is not read. */
export class LimitFault extends SyntaxFault {}

/** State that every language keeps while it reads one text. */
export interface KitSession {
  readonly source: string
  /** `depth`: how many levels of `nested` there may be. */
  readonly limits: { readonly depth: number }
  readonly report: (diagnostic: Diagnostic) => void
}

/** A token that does not fit. */
export interface Mismatch<T extends Token> {
  readonly token: T
  readonly previous: T
  /** Token types that would fit, each once, in the order of the grammar. */
  readonly expected: readonly TokenType[]
  /** Names of the rules that were being read, the outermost first. */
  readonly ruleStack: readonly string[]
}

export interface LanguageOptions {
  readonly vocabulary: TokenType[]
  /** Pairs of opening and closing types. */
  readonly brackets: readonly (readonly [TokenType, TokenType])[]
  /** Where reading continues after an error, besides a closing bracket of the same level. */
  readonly resumeAt: readonly TokenType[]
  /** Checks the grammar: for tests, as it takes some 100 ms. */
  readonly isValidated: boolean
}

/** Chevrotain accepts occurrence numbers up to 255 and wants those of one type in one rule to differ. */
const OCCURRENCES = 256

/**
 * The base of every parser: Chevrotain's grammar methods, positions, limits and recovery. A subclass registers its rules in
 * its constructor and then calls `build`. One instance reads any number of texts, one at a time.
 */
export abstract class LanguageParser<S extends KitSession, T extends Token> {
  /** State of the text that is being read; while rules are recorded, the one given to the constructor. */
  session: S
  readonly #engine: Engine
  readonly #end: T
  readonly #closerOf: ReadonlyMap<TokenType, TokenType>
  readonly #closers: ReadonlySet<TokenType>
  readonly #resumeAt: ReadonlySet<TokenType>
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
  }

  /** Returns the diagnostic for a token that does not fit. */
  abstract explain(mismatch: Mismatch<T>): Diagnostic

  /** Returns the diagnostic for a text that nests deeper than the session allows. */
  abstract explainDepth(limit: number, where: Span): Diagnostic

  /** Records the rules; none can be added afterwards. */
  protected build(): void {
    this.#isRecording = true
    this.#engine.performSelfAnalysis()
    this.#isRecording = false
  }

  /** The grammar, rule by rule in the order of registration. */
  get grammar(): readonly Production[] {
    return this.#engine.getSerializedGastProductions()
  }

  /** Reads a text by one rule. Throws `LimitFault`, a `SyntaxFault` that no `attempt` caught, and what `report` throws. */
  read<R>(rule: Rule<[], R>, tokens: readonly T[], session: S): R {
    this.session = session
    this.#tokens = tokens
    this.#depth = 0
    // Chevrotain appends end tokens to the array while it reads.
    this.#engine.input = [...tokens]
    return rule.call(this.#engine)
  }

  /** The token types that may come after a text, each once: what its decisions at the end would take, gates included. */
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

  // Grammar methods, as in Chevrotain's manual. `option`, `many`, `atLeastOne` and `or` need a number that is unique in the rule.

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

  /** Runs code that uses tokens or values. Skipped while rules are recorded, when both are placeholders. */
  ACTION<R>(action: () => R): R {
    return this.#isRecording ? (undefined as R) : action()
  }

  /** Identifies a place for Chevrotain's recovery, which is off, and for its checks. */
  #newOccurrence(): number {
    return (this.#occurrence = (this.#occurrence + 1) % OCCURRENCES)
  }

  /** The token at a distance: 1 is the next one, 0 the one before it. The end token outside the text. */
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

  /** For types that are not categories. */
  isNextIn(types: ReadonlySet<TokenType>, distance = 1): boolean {
    return types.has(this.LA(distance).tokenType)
  }

  /** Whether nothing stands between the token at `distance` and the one before it. */
  touches(distance = 1): boolean {
    const after = this.LA(distance)
    return after !== this.#end && after.startOffset === endOf(this.LA(distance - 1))
  }

  /** Offset of the next token in UTF-16 units; the end of the text if there is none. */
  startOffset(): number {
    return this.tokenSpan(this.LA(1)).start
  }

  /** Where the token before the next one ends; 0 before the first. */
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

  /** Fails unless the next token is of one of the types, as `consume` would, but does not read it. */
  expectNext(types: readonly TokenType[]): void {
    if (this.#isRecording || this.isNextOneOf(types)) return
    this.#engine.noteAtEnd(types)
    this.#engine.failExpecting(types)
  }

  /** Counts one level of nesting around `inner`. */
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
   * Reads a part of the text. If it has an error, reports it, skips to where reading can continue, and returns `fallback`,
   * so that errors further on are found too. Linear in the tokens skipped.
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

  /** Skips to a token of `resumeAt` or a closing bracket, both at the level of the token number `from`. */
  #skip(from: number): void {
    // A part may end there even inside a bracket that was never closed.
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

/** The token that stands outside of every text. */
export function endToken(): Token {
  return { tokenType: EOF, tokenTypeIdx: -1, image: '', startOffset: -1, endOffset: -1 }
}
