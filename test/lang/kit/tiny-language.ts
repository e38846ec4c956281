import { defineDiagnostics, type Diagnostic, type Span } from '../../../src/base/index.ts'
import {
  endToken,
  LanguageParser,
  lazyLexer,
  SKIPPED,
  TokenBuilder,
  type KitSession,
  type Mismatch,
  type Token,
} from '../../../src/lang/kit/index.ts'

const builder = new TokenBuilder()
export const Letter = builder.type('Letter', 'letter')
export const A = builder.type('A', 'a', [Letter], { PATTERN: 'a' })
export const B = builder.type('B', 'b', [Letter], { PATTERN: 'b' })
export const C = builder.type('C', 'c', [], { PATTERN: 'c' })
export const Comma = builder.punctuation('Comma', ',')
export const Open = builder.punctuation('Open', '(')
export const Close = builder.punctuation('Close', ')')
const Other = builder.type('Other', 'character', [], { PATTERN: /[^]/ })
const blanks = new TokenBuilder().type('Blank', '', [], { PATTERN: /\s+/, GROUP: SKIPPED })
const lex = lazyLexer(() => [blanks, A, B, C, Comma, Open, Close, Other])

export const tinyDiagnostic = defineDiagnostics('tiny', {
  unexpected: (d: { found: string; expected: readonly string[]; rules: readonly string[] }) => ({
    message: `${d.found} not ${d.expected.join(' ')}`,
  }),
  deep: (d: { limit: number }) => ({ message: `deeper than ${d.limit}` }),
  odd: (_: object) => ({ message: 'odd' }),
})

export function session(source: string, found: Diagnostic[] = [], depth = 8): KitSession {
  return { source, limits: { depth }, report: (diagnostic) => void found.push(diagnostic) }
}

export function tokensOf(source: string): Token[] {
  return lex(source).tokens
}

/** A parser whose rules are registered by the test. */
export class TinyParser extends LanguageParser<KitSession, Token> {
  constructor(register: (parser: TinyParser) => void, isValidated = false) {
    const brackets = [[Open, Close]] as const
    super(session(''), endToken(), { vocabulary: builder.vocabulary, brackets, resumeAt: [Comma], isValidated })
    register(this)
    this.build()
  }

  explain({ token, expected, ruleStack }: Mismatch<Token>): Diagnostic {
    const labels = expected.map(({ LABEL = '' }) => LABEL)
    return tinyDiagnostic(
      'unexpected',
      { found: token.image, expected: labels, rules: ruleStack },
      this.tokenSpan(token),
    )
  }

  explainDepth(limit: number, where: Span): Diagnostic {
    return tinyDiagnostic('deep', { limit }, where)
  }
}
