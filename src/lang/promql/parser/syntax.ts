import { span, type Diagnostic, type Span } from '../../../base/index.ts'
import {
  endToken,
  LanguageParser,
  OperatorChain,
  type KitSession,
  type Mismatch,
  type Operator,
  type Rule,
  type TokenType,
} from '../../kit/index.ts'
import type { DurationCall, DurationExpr, DurationBinary, Matcher, MatchOp, PromqlExpr } from '../ast.ts'
import { DurationBuilder } from '../build-duration.ts'
import { ModifierBuilder } from '../build-modifier.ts'
import { placeholder, TreeBuilder } from '../build.ts'
import { promqlDiagnostic, type Report } from '../diagnostics.ts'
import { ALL_FEATURES, type PromqlFeatures } from '../features.ts'
import { promqlPrecedences } from './precedence.ts'
import { makeMatcher, readNumberToken, readStringToken, spanOfToken, wordOf } from './read-tokens.ts'
import type { Token } from './refine.ts'
import { describeFault } from './syntax-errors.ts'
import * as t from './tokens.ts'

/** State of the parser for one text. */
export class ParseSession implements KitSession {
  readonly source: string
  readonly limits: { readonly depth: number }
  /** Called with each syntax error. */
  readonly report: Report
  /** Called with errors in parts whose syntax is valid, such as an invalid number. */
  readonly reportContent: Report
  readonly tree: TreeBuilder
  readonly durations: DurationBuilder
  readonly modifiers: ModifierBuilder
  /** True once the colon in the current square brackets has been parsed, which makes them those of a subquery. */
  isPastColon = false

  constructor(source: string, features: PromqlFeatures, depth: number, report: Report, reportContent: Report) {
    this.source = source
    this.limits = { depth }
    this.report = report
    this.reportContent = reportContent
    this.tree = new TreeBuilder(features, reportContent)
    this.durations = new DurationBuilder(features, reportContent)
    this.modifiers = new ModifierBuilder(features, reportContent)
  }
}

export type DurationChain = OperatorChain<DurationExpr>

const NO_SPAN = span(0, 0)

export function noExpr(): PromqlExpr {
  return placeholder(NO_SPAN)
}

/** Fallback for list items: a list omits an item that could not be parsed. */
export function ignore(): void {}

function noDuration(): DurationExpr {
  return { kind: 'duration-number', seconds: 1, isDuration: false, isWrapped: false, span: NO_SPAN }
}

export function operatorOf(token: Token): Operator {
  return { text: token.image.toLowerCase(), span: spanOfToken(token) }
}

const BRACKETS = [
  [t.LParen, t.RParen],
  [t.LBracket, t.RBracket],
  [t.LBrace, t.RBrace],
] as const

function noReport(): void {}

/** The lower half of the PromQL grammar: label lists, selectors and durations. */
export abstract class PromqlSyntax extends LanguageParser<ParseSession, Token> {
  constructor(isValidated: boolean) {
    const recording = new ParseSession('', ALL_FEATURES, 0, noReport, noReport)
    super(recording, endToken(), { vocabulary: t.vocabulary(), brackets: BRACKETS, resumeAt: [t.Comma], isValidated })
  }

  explain({ token, previous, ruleStack }: Mismatch<Token>): Diagnostic {
    const { isPastColon, source } = this.session
    return describeFault({ token, previousToken: previous, ruleStack, isPastColon }, source)
  }

  explainDepth(limit: number, where: Span): Diagnostic {
    return promqlDiagnostic('too-deep', { limit }, where)
  }

  /** End offset of the last consumed token. */
  protected get lastEnd(): number {
    return spanOfToken(this.LA(0)).end
  }

  readonly labelList: Rule<[], readonly string[]> = this.RULE('labelList', (): readonly string[] => {
    const labels: string[] = []
    this.#readList([t.LParen, t.RParen], [t.LabelWord, t.StringToken], () => {
      labels.push(this.subrule(this.groupingLabel))
    })
    return labels
  })

  readonly groupingLabel: Rule<[], string> = this.RULE('groupingLabel', (): string =>
    this.or(0, [
      {
        ALT: () => {
          const word = this.consume(t.LabelWord)
          return this.ACTION(() => word.image)
        },
      },
      {
        ALT: () => {
          const text = this.consume(t.StringToken)
          return this.ACTION(() => {
            const label = readStringToken(text)
            const at = spanOfToken(text)
            if (label === '' || !label.isWellFormed())
              this.session.reportContent(promqlDiagnostic('bad-grouping-label', { label }, at))
            return label
          })
        },
      },
    ]),
  )

  readonly signedNumber: Rule<[], number> = this.RULE('signedNumber', (): number => {
    const sign = this.option(0, () => this.consume(t.UnaryOperator))
    const token = this.consume(t.NumberLike)
    return this.ACTION(() => {
      const { value } = readNumberToken(token, this.session.reportContent)
      return sign?.image === '-' ? -value : value
    })
  })

  readonly selector: Rule<[], PromqlExpr> = this.RULE('selector', (): PromqlExpr =>
    this.or(0, [
      {
        ALT: () => {
          const name = this.consume(t.MetricWord)
          const matchers = this.option(0, () => this.subrule(this.matcherList))
          return this.ACTION((): PromqlExpr => {
            const word = wordOf(name)
            return this.session.tree.selector(word, matchers ?? [], span(word.span.start, this.lastEnd))
          })
        },
      },
      {
        ALT: () => {
          const open = this.LA(1)
          const matchers = this.subrule(this.matcherList)
          return this.ACTION((): PromqlExpr => {
            const at = span(spanOfToken(open).start, this.lastEnd)
            return this.session.tree.selector(undefined, matchers, at)
          })
        },
      },
    ]),
  )

  readonly matcherList: Rule<[], readonly Matcher[]> = this.RULE('matcherList', (): readonly Matcher[] => {
    const matchers: Matcher[] = []
    this.#readList([t.LBrace, t.RBrace], [t.Identifier, t.StringToken], () => {
      matchers.push(this.subrule(this.matcher))
    })
    return matchers
  })

  readonly matcher: Rule<[], Matcher> = this.RULE('matcher', (): Matcher =>
    this.or(0, [
      {
        ALT: () => {
          const label = this.consume(t.Identifier)
          const op = this.consume(t.MatchOperator)
          const value = this.consume(t.StringToken)
          return this.ACTION(() => this.#matcher(label, label.image, op, value))
        },
      },
      {
        ALT: () => {
          const quoted = this.consume(t.StringToken)
          const rest = this.option(0, () => {
            const op = this.consume(t.MatchOperator)
            const value = this.consume(t.StringToken)
            return { op, value }
          })
          return this.ACTION((): Matcher => {
            const text = readStringToken(quoted)
            // A string without an operator after it is the metric name.
            if (rest === undefined) return { label: '__name__', op: '=', value: text }
            return this.#matcher(quoted, text, rest.op, rest.value)
          })
        },
      },
    ]),
  )

  readonly durationExpression: Rule<[], DurationExpr> = this.RULE('durationExpression', (): DurationExpr => {
    const chain = this.ACTION(() => this.#startDurationChain())
    this.subrule(this.durationOperand, chain)
    this.many(0, () => {
      const op = this.consume(t.DurationOperator)
      this.ACTION(() => chain.binary(operatorOf(op), undefined))
      this.subrule(this.durationOperand, chain)
    })
    return this.ACTION(() => chain.finish() ?? noDuration())
  })

  readonly durationOperand: Rule<[DurationChain], void> = this.RULE('durationOperand', (chain: DurationChain) => {
    this.many(0, () => {
      const sign = this.consume(t.UnaryOperator)
      this.ACTION(() => chain.prefix(operatorOf(sign)))
    })
    const operand = this.subrule(this.durationPrimary, false)
    this.ACTION(() => chain.operand(operand))
  })

  /**
   * Rule for the duration after `offset`: one operand with optional signs, or a whole formula if the duration begins
   * with a parenthesis.
   */
  readonly offsetDuration: Rule<[], DurationExpr> = this.RULE('offsetDuration', (): DurationExpr =>
    this.or(0, [
      { GATE: () => this.isNext(t.LParen), ALT: () => this.subrule(this.durationExpression) },
      {
        ALT: () => {
          const signs: Token[] = []
          this.many(0, () => {
            const sign = this.consume(t.UnaryOperator)
            signs.push(sign)
          })
          const operand = this.subrule(this.durationPrimary, signs.length === 1)
          return this.ACTION(() => {
            const [only] = signs
            if (signs.length === 1 && only !== undefined) return this.#signedOffset(operatorOf(only), operand)
            return signs.reduceRight((inner, sign) => this.#signed(operatorOf(sign), inner, false), operand)
          })
        },
      },
    ]),
  )

  readonly positiveDuration: Rule<[], DurationExpr> = this.RULE('positiveDuration', (): DurationExpr => {
    const duration = this.subrule(this.durationExpression)
    return this.ACTION(() => this.session.durations.positive(duration))
  })

  readonly durationPrimary: Rule<[boolean], DurationExpr> = this.RULE(
    'durationPrimary',
    (isSigned: boolean): DurationExpr =>
      this.or(0, [
        {
          ALT: () => {
            const token = this.consume(t.NumberLike)
            return this.ACTION(() => {
              const { value, isDuration, span: at } = readNumberToken(token, this.session.reportContent)
              return this.session.durations.number(value, isDuration, at)
            })
          },
        },
        {
          ALT: () => {
            const word = this.or(1, [{ ALT: () => this.consume(t.Step) }, { ALT: () => this.consume(t.Range) }])
            this.consume(t.LParen)
            this.consume(t.RParen)
            return this.ACTION(() => this.#durationCall(word, []))
          },
        },
        {
          ALT: () => {
            const word = this.or(2, [{ ALT: () => this.consume(t.MinOf) }, { ALT: () => this.consume(t.MaxOf) }])
            this.consume(t.LParen)
            const first = this.nested(() => this.subrule(this.durationExpression))
            this.consume(t.Comma)
            const second = this.nested(() => this.subrule(this.durationExpression))
            this.consume(t.RParen)
            return this.ACTION(() => this.#durationCall(word, [first, second]))
          },
        },
        {
          ALT: () => {
            this.consume(t.LParen)
            const inner = this.nested(() => this.subrule(this.durationExpression))
            this.consume(t.RParen)
            return this.ACTION(() => {
              const { durations } = this.session
              return isSigned ? durations.signedParen(inner) : durations.paren(inner)
            })
          },
        },
      ]),
  )

  /**
   * Parses a list `(item, item,)`, possibly empty or with a trailing comma. An error in one item does not prevent the
   * others from being parsed. `begins` are the token types that may begin an item.
   */
  #readList([open, close]: readonly [TokenType, TokenType], begins: readonly TokenType[], readItem: () => void): void {
    const attemptItem = (): void =>
      this.attempt(() => {
        readItem()
        this.expectNext([t.Comma, close])
      }, ignore)
    this.consume(open)
    this.option(0, () => {
      attemptItem()
      this.many(0, {
        GATE: () => this.isNextOneOf(begins, 2),
        DEF: () => {
          this.consume(t.Comma)
          attemptItem()
        },
      })
      this.option(1, () => this.consume(t.Comma))
    })
    this.consume(close)
  }

  #startDurationChain(): DurationChain {
    const { durations } = this.session
    return new OperatorChain<DurationExpr>(promqlPrecedences, {
      unary: (op, operand) => durations.unary(op.text === '-' ? '-' : '+', op.span, operand),
      binary: (op, _, lhs, rhs) => durations.binary(op.text as DurationBinary['op'], op.span, lhs, rhs),
    })
  }

  #signed(sign: Operator, operand: DurationExpr, keepsPlus: boolean): DurationExpr {
    return this.session.durations.unary(sign.text === '-' ? '-' : '+', sign.span, operand, keepsPlus)
  }

  /**
   * Applies a sign to the duration of an offset. A plus is dropped, except before a function call without parentheses
   * around it.
   */
  #signedOffset(sign: Operator, operand: DurationExpr): DurationExpr {
    return this.#signed(sign, operand, operand.kind === 'duration-call' && !operand.isWrapped)
  }

  #durationCall(word: Token, args: readonly DurationExpr[]): DurationExpr {
    const name = word.image.toLowerCase() as DurationCall['name']
    return this.session.durations.call(name, args, span(spanOfToken(word).start, this.lastEnd))
  }

  #matcher(first: Token, label: string, op: Token, value: Token): Matcher {
    const at: Span = span(spanOfToken(first).start, spanOfToken(value).end)
    return makeMatcher(label, op.image as MatchOp, readStringToken(value), at, this.session.reportContent)
  }
}
