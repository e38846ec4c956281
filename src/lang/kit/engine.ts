import {
  EmbeddedActionsParser,
  EOF,
  isRecognitionException,
  Lexer,
  NoViableAltException,
  type IMultiModeLexerDefinition,
  type IParserConfig,
  type IParserErrorMessageProvider,
  type IRecognitionException,
  type ISerializedGast,
  type TokenType,
} from 'chevrotain'
import { LazyLookahead } from './lookahead.ts'
import { SKIPPED, type Token } from './tokens.ts'

/** Only this module and `lookahead.ts` call the parser library Chevrotain. `load.cjs` loads it on first use. */

export interface Alternative<R> {
  readonly ALT: () => R
  readonly GATE?: () => boolean
}

export interface Optional<R> {
  readonly DEF: () => R
  readonly GATE?: () => boolean
}

type Body = (() => unknown) | Optional<unknown>

/** A grammar rule as Chevrotain returns it. Must be called with the parser as `this`. */
export type LibraryRule = (...args: unknown[]) => unknown

/**
 * The members of Chevrotain's parser that the kit calls. Most are protected, because Chevrotain expects grammar rules
 * inside a subclass of the parser.
 */
interface Members {
  input: Token[]
  RULE: (name: string, rule: LibraryRule) => LibraryRule
  consume: (occurrence: number, type: TokenType) => Token
  subrule: (occurrence: number, rule: LibraryRule, options?: { readonly ARGS: unknown[] }) => unknown
  option: (occurrence: number, body: Body) => unknown
  many: (occurrence: number, body: Body) => void
  atLeastOne: (occurrence: number, body: Body) => void
  or: (occurrence: number, alternatives: readonly Alternative<unknown>[]) => unknown
  consumeInternalRecord: (type: TokenType, occurrence: number) => Token
  subruleInternalRecord: (rule: LibraryRule, occurrence: number) => unknown
  optionInternalRecord: (body: Body, occurrence: number) => unknown
  manyInternalRecord: (occurrence: number, body: Body) => void
  atLeastOneInternalRecord: (occurrence: number, body: Body) => void
  orInternalRecord: (alternatives: readonly Alternative<unknown>[], occurrence: number) => unknown
  LA: (distance: number) => Token
  SKIP_TOKEN: () => Token
  /** Returns the index of the last token that was read, -1 before the first. */
  exportLexerState: () => number
  /** Adds the names of the current grammar rules to an error. */
  SAVE_ERROR: (error: IRecognitionException) => IRecognitionException
  performSelfAnalysis: () => void
  getSerializedGastProductions: () => ISerializedGast[]
}

const PublicParser = EmbeddedActionsParser as unknown as new (vocabulary: TokenType[], config: IParserConfig) => Members

/**
 * Returns the provider of error messages for Chevrotain. It passes on the expected token types and returns no text,
 * because each language has its own diagnostics.
 */
function errorProvider(onExpected: (types: readonly TokenType[]) => void): IParserErrorMessageProvider {
  const pass = (types: readonly TokenType[]): string => {
    onExpected(types)
    return ''
  }
  return {
    buildMismatchTokenMessage: ({ expected }) => pass([expected]),
    buildEarlyExitMessage: ({ expectedIterationPaths }) =>
      pass(expectedIterationPaths.flatMap(([first]) => first ?? [])),
    // The lookahead throws before Chevrotain does, and parsers check the end of the text themselves.
    buildNoViableAltMessage: () => '',
    buildNotAllInputParsedMessage: () => '',
  }
}

/** Details of a call of `consume`, `or` or `atLeastOne` that failed. */
export interface LibraryMismatch {
  readonly expected: readonly TokenType[]
  /** Names of the grammar rules that were being parsed, outermost first. */
  readonly ruleStack: readonly string[]
}

/**
 * Chevrotain's parser without its error recovery. `LanguageParser.attempt` recovers instead, because Chevrotain's
 * recovery ignores bracket levels and invents tokens without a position.
 */
export class Engine extends PublicParser {
  /** Token types that were expected at the most recent mismatch. */
  #expected: readonly TokenType[] = []
  /**
   * Token types that could follow at the end of the text, collected until the first error. `undefined` unless content
   * assist is active.
   */
  wanted: Set<TokenType> | undefined

  /** If `isValidated`, checks the grammar for ambiguities, unreachable alternatives and left recursion. */
  constructor(vocabulary: TokenType[], isValidated: boolean) {
    super(vocabulary, {
      maxLookahead: 1,
      lookaheadStrategy: new LazyLookahead(),
      recoveryEnabled: false,
      skipValidations: !isValidated,
      errorMessageProvider: errorProvider((types) => {
        this.#expected = types
        this.noteAtEnd(types)
      }),
    })
  }

  /**
   * Overrides Chevrotain's method with one that does nothing. Chevrotain's would replace 80 methods of the instance
   * while it records rules and delete them afterwards, which slows down building. The kit calls the recording methods
   * itself.
   */
  enableRecording(): void {}

  disableRecording(): void {}

  /**
   * Throws a mismatch: one of these token types was expected. Called by the lookahead, and by rules that check a token
   * without consuming it.
   */
  failExpecting(types: readonly TokenType[]): never {
    this.#expected = types
    throw this.SAVE_ERROR(new NoViableAltException('', this.LA(1), this.LA(0)))
  }

  /** Adds types to those collected for content assist, if the parser is at the end of the text. */
  noteAtEnd(types: Iterable<TokenType>): void {
    if (this.wanted !== undefined && this.LA(1).tokenType === EOF) for (const type of types) this.wanted.add(type)
  }

  /** Returns the mismatch behind a caught error; `undefined` if the grammar did not throw the error. */
  mismatchOf(error: unknown): LibraryMismatch | undefined {
    if (!(error instanceof Error) || !isRecognitionException(error)) return undefined
    return { expected: this.#expected, ruleStack: (error as IRecognitionException).context.ruleStack }
  }
}

/** Creates a Chevrotain lexer that records offsets but no lines and columns. */
export function createLexer(definition: IMultiModeLexerDefinition | TokenType[]): Lexer {
  const types = Array.isArray(definition) ? definition : Object.values(definition.modes).flat()
  for (const type of types) if (type.GROUP === SKIPPED) type.GROUP = Lexer.SKIPPED
  return new Lexer(definition, { positionTracking: 'onlyOffset', skipValidations: true })
}
