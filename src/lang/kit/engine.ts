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

/** Together with `lookahead.ts` the only code that runs Chevrotain; `load.cjs` loads it lazily. */

export interface Alternative<R> {
  readonly ALT: () => R
  readonly GATE?: () => boolean
}

export interface Optional<R> {
  readonly DEF: () => R
  readonly GATE?: () => boolean
}

type Body = (() => unknown) | Optional<unknown>

/** A rule as Chevrotain returns it; `this` must be the parser when it is called. */
export type LibraryRule = (...args: unknown[]) => unknown

/** The members of Chevrotain's parser that the kit uses. Most are protected there: it expects rules in a subclass. */
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
  /** Index of the last token that was read, -1 before the first. */
  exportLexerState: () => number
  /** Adds the names of the current rules to an error. */
  SAVE_ERROR: (error: IRecognitionException) => IRecognitionException
  performSelfAnalysis: () => void
  getSerializedGastProductions: () => ISerializedGast[]
}

const PublicParser = EmbeddedActionsParser as unknown as new (vocabulary: TokenType[], config: IParserConfig) => Members

/** Passes on what was expected instead of writing a message: each language has diagnostics of its own. */
function errorProvider(onExpected: (types: readonly TokenType[]) => void): IParserErrorMessageProvider {
  const pass = (types: readonly TokenType[]): string => {
    onExpected(types)
    return ''
  }
  return {
    buildMismatchTokenMessage: ({ expected }) => pass([expected]),
    buildEarlyExitMessage: ({ expectedIterationPaths }) =>
      pass(expectedIterationPaths.flatMap(([first]) => first ?? [])),
    // The lookahead fails before Chevrotain does, and parsers check the end of the text themselves.
    buildNoViableAltMessage: () => '',
    buildNotAllInputParsedMessage: () => '',
  }
}

/** The facts of a failed `consume`, `or` or `atLeastOne`. */
export interface LibraryMismatch {
  readonly expected: readonly TokenType[]
  /** Names of the rules that were being read, the outermost first. */
  readonly ruleStack: readonly string[]
}

/** Chevrotain's parser without its recovery: see README, "Recovery". */
export class Engine extends PublicParser {
  /** Token types that the most recent mismatch expected. */
  #expected: readonly TokenType[] = []
  /** Collects what fits at the end of the text, until the first error; unset unless content assist is reading. */
  wanted: Set<TokenType> | undefined

  /** `isValidated`: checks the grammar for ambiguities, unreachable alternatives and left recursion. */
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
   * Chevrotain replaces 80 methods of the instance while it records rules and deletes them afterwards, in a tenth of the time
   * that building takes. The kit calls the recording methods itself.
   */
  enableRecording(): void {}

  disableRecording(): void {}

  /** Called by the lookahead, and where a rule expects a token that it does not read. */
  failExpecting(types: readonly TokenType[]): never {
    this.#expected = types
    throw this.SAVE_ERROR(new NoViableAltException('', this.LA(1), this.LA(0)))
  }

  /** Adds types to those that content assist collects, if the text ends here. */
  noteAtEnd(types: Iterable<TokenType>): void {
    if (this.wanted !== undefined && this.LA(1).tokenType === EOF) for (const type of types) this.wanted.add(type)
  }

  /** The mismatch behind a caught error; undefined if the grammar did not throw it. */
  mismatchOf(error: unknown): LibraryMismatch | undefined {
    if (!(error instanceof Error) || !isRecognitionException(error)) return undefined
    return { expected: this.#expected, ruleStack: (error as IRecognitionException).context.ruleStack }
  }
}

/** Chevrotain's lexer with offsets only. */
export function createLexer(definition: IMultiModeLexerDefinition | TokenType[]): Lexer {
  const types = Array.isArray(definition) ? definition : Object.values(definition.modes).flat()
  for (const type of types) if (type.GROUP === SKIPPED) type.GROUP = Lexer.SKIPPED
  return new Lexer(definition, { positionTracking: 'onlyOffset', skipValidations: true })
}
