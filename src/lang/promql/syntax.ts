import { EmbeddedActionsParser, type IParserErrorMessageProvider, type ParserMethod } from 'chevrotain'
import { span, type Span } from '../../base/index.ts'
import type { DurationCall, DurationExpr, DurationBinary, Matcher, MatchOp, PromqlExpr } from './ast.ts'
import { DurationBuilder } from './build-duration.ts'
import { ModifierBuilder } from './build-modifier.ts'
import { placeholder, TreeBuilder } from './build.ts'
import { promqlDiagnostic, type Report } from './diagnostics.ts'
import type { PromqlFeatures } from './features.ts'
import { OperatorChain, type Operator } from './operator-chain.ts'
import { makeMatcher, readNumberToken, readStringToken, spanOfToken, wordOf } from './read-tokens.ts'
import type { Token } from './refine.ts'
import * as t from './tokens.ts'

/** Nested deeper than allowed; not a matter of one place that could be repaired. */
export class TooDeepError extends Error {
  readonly place: Span

  constructor(place: Span) {
    super()
    this.place = place
  }
}
/** So many faults that going on would only add noise. */
export class TooManyErrorsError extends Error {}

const MAX_SYNTAX_ERRORS = 20

/** What one text needs while it is read. */
export class ParseSession {
  readonly tree: TreeBuilder
  readonly durations: DurationBuilder
  readonly modifiers: ModifierBuilder
  readonly report: Report
  readonly maxNesting: number
  /** Called for every fault the grammar finds, before anything else happens, with the token before it. */
  readonly onFault: (previous: Token) => void
  /** Whether the brackets being read are past their colon. */
  isPastColon = false

  constructor(features: PromqlFeatures, maxNesting: number, report: Report, onFault: (previous: Token) => void) {
    this.tree = new TreeBuilder(features, report)
    this.durations = new DurationBuilder(features, report)
    this.modifiers = new ModifierBuilder(features, report)
    this.report = report
    this.maxNesting = maxNesting
    this.onFault = onFault
  }
}

export type DurationChain = OperatorChain<DurationExpr, undefined>

const NO_SPAN = span(0, 0)

export function noExpr(): PromqlExpr {
  return placeholder(NO_SPAN)
}

function noDuration(): DurationExpr {
  return { kind: 'duration-number', seconds: 1, isDuration: false, isWrapped: false, span: NO_SPAN }
}

export function operatorOf(token: Token): Operator {
  return { text: token.image.toLowerCase(), span: spanOfToken(token) }
}

/** The lower half of the grammar: lists of labels, selectors and durations. */
export class PromqlSyntax extends EmbeddedActionsParser {
  protected session: ParseSession | undefined
  #faults = 0

  constructor(skipValidations: boolean) {
    const noteFault = (): string => {
      this.#noteFault()
      return ''
    }
    const errorMessageProvider: IParserErrorMessageProvider = {
      buildMismatchTokenMessage: noteFault,
      buildNotAllInputParsedMessage: noteFault,
      buildNoViableAltMessage: noteFault,
      buildEarlyExitMessage: noteFault,
    }
    super(t.vocabulary, { recoveryEnabled: true, maxLookahead: 2, errorMessageProvider, skipValidations })
  }

  protected get now(): ParseSession {
    return this.session!
  }

  protected begin(tokens: Token[], session: ParseSession): void {
    this.session = session
    this.#faults = 0
    this.input = tokens
  }

  #noteFault(): void {
    this.now.onFault(this.LA(0))
    if (++this.#faults > MAX_SYNTAX_ERRORS) throw new TooManyErrorsError()
  }

  protected checkDepth(depth: number): void {
    if (depth > this.now.maxNesting) throw new TooDeepError(spanOfToken(this.LA(0)))
  }

  /** The end of the token just read. */
  protected get lastEnd(): number {
    return spanOfToken(this.LA(0)).end
  }

  readonly labelList: ParserMethod<[], readonly string[]> = this.RULE(
    'labelList',
    (): readonly string[] => {
      const labels: string[] = []
      this.CONSUME(t.LParen)
      this.OPTION(() => {
        const first = this.SUBRULE(this.groupingLabel)
        labels.push(first)
        this.MANY(() => {
          this.CONSUME(t.Comma)
          const next = this.SUBRULE2(this.groupingLabel)
          labels.push(next)
        })
        this.OPTION2(() => this.CONSUME2(t.Comma))
      })
      this.CONSUME(t.RParen)
      return labels
    },
    { recoveryValueFunc: () => [] },
  )

  readonly groupingLabel: ParserMethod<[], string> = this.RULE(
    'groupingLabel',
    (): string =>
      this.OR([
        {
          ALT: () => {
            const word = this.CONSUME(t.LabelWord)
            return this.ACTION(() => word.image)
          },
        },
        {
          ALT: () => {
            const text = this.CONSUME(t.StringToken)
            return this.ACTION(() => {
              const label = readStringToken(text)
              const place = spanOfToken(text)
              if (label === '' || !label.isWellFormed())
                this.now.report(promqlDiagnostic('bad-grouping-label', { label }, place))
              return label
            })
          },
        },
      ]),
    { recoveryValueFunc: () => '' },
  )

  readonly signedNumber: ParserMethod<[], number> = this.RULE(
    'signedNumber',
    (): number => {
      const sign = this.OPTION(() => this.CONSUME(t.UnaryOperator))
      const token = this.CONSUME(t.NumberLike)
      return this.ACTION(() => {
        const { value } = readNumberToken(token, this.now.report)
        return sign?.image === '-' ? -value : value
      })
    },
    { recoveryValueFunc: () => 0 },
  )

  readonly selector: ParserMethod<[], PromqlExpr> = this.RULE(
    'selector',
    (): PromqlExpr =>
      this.OR([
        {
          ALT: () => {
            const name = this.CONSUME(t.MetricWord)
            const matchers = this.OPTION(() => this.SUBRULE(this.matcherList))
            return this.ACTION((): PromqlExpr => {
              const word = wordOf(name)
              return this.now.tree.selector(word, matchers ?? [], span(word.span.start, this.lastEnd))
            })
          },
        },
        {
          ALT: () => {
            const open = this.LA(1)
            const matchers = this.SUBRULE2(this.matcherList)
            return this.ACTION((): PromqlExpr => {
              const place = span(spanOfToken(open).start, this.lastEnd)
              return this.now.tree.selector(undefined, matchers, place)
            })
          },
        },
      ]),
    { recoveryValueFunc: noExpr },
  )

  readonly matcherList: ParserMethod<[], readonly Matcher[]> = this.RULE(
    'matcherList',
    (): readonly Matcher[] => {
      const matchers: Matcher[] = []
      this.CONSUME(t.LBrace)
      this.OPTION(() => {
        const first = this.SUBRULE(this.matcher)
        matchers.push(first)
        this.MANY(() => {
          this.CONSUME(t.Comma)
          const next = this.SUBRULE2(this.matcher)
          matchers.push(next)
        })
        this.OPTION2(() => this.CONSUME2(t.Comma))
      })
      this.CONSUME(t.RBrace)
      return matchers
    },
    { recoveryValueFunc: () => [] },
  )

  readonly matcher: ParserMethod<[], Matcher> = this.RULE(
    'matcher',
    (): Matcher =>
      this.OR([
        {
          ALT: () => {
            const label = this.CONSUME(t.Identifier)
            const op = this.CONSUME(t.MatchOperator)
            const value = this.CONSUME(t.StringToken)
            return this.ACTION(() => this.#matcher(label, label.image, op, value))
          },
        },
        {
          ALT: () => {
            const quoted = this.CONSUME2(t.StringToken)
            const rest = this.OPTION(() => {
              const op = this.CONSUME2(t.MatchOperator)
              const value = this.CONSUME3(t.StringToken)
              return { op, value }
            })
            return this.ACTION((): Matcher => {
              const text = readStringToken(quoted)
              // A text alone is the metric's name.
              if (rest === undefined) return { label: '__name__', op: '=', value: text }
              return this.#matcher(quoted, text, rest.op, rest.value)
            })
          },
        },
      ]),
    { recoveryValueFunc: (): Matcher => ({ label: '', op: '=', value: '' }) },
  )

  readonly durationExpression: ParserMethod<[number], DurationExpr> = this.RULE(
    'durationExpression',
    (depth: number): DurationExpr => {
      const chain = this.ACTION(() => this.#startDurationChain(depth))
      this.SUBRULE(this.durationOperand, { ARGS: [chain, depth] })
      this.MANY(() => {
        const op = this.CONSUME(t.DurationOperator)
        this.ACTION(() => chain.binary(operatorOf(op), undefined))
        this.SUBRULE2(this.durationOperand, { ARGS: [chain, depth] })
      })
      return this.ACTION(() => chain.finish() ?? noDuration())
    },
    { recoveryValueFunc: noDuration },
  )

  readonly durationOperand: ParserMethod<[DurationChain, number], void> = this.RULE(
    'durationOperand',
    (chain: DurationChain, depth: number) => {
      this.MANY(() => {
        const sign = this.CONSUME(t.UnaryOperator)
        this.ACTION(() => chain.sign(operatorOf(sign)))
      })
      const operand = this.SUBRULE(this.durationPrimary, { ARGS: [depth, false] })
      this.ACTION(() => chain.operand(operand))
    },
  )

  /** Ends at its first operand; more than that must stand in parentheses. */
  readonly offsetDuration: ParserMethod<[number], DurationExpr> = this.RULE(
    'offsetDuration',
    (depth: number): DurationExpr => {
      const signs: Token[] = []
      this.MANY(() => {
        const sign = this.CONSUME(t.UnaryOperator)
        signs.push(sign)
      })
      const operand = this.SUBRULE(this.durationPrimary, { ARGS: [depth, signs.length === 1] })
      return this.ACTION(() => {
        const [only] = signs
        if (signs.length === 1 && only !== undefined) return this.#signedOffset(operatorOf(only), operand)
        return signs.reduceRight((inner, sign) => this.#signed(operatorOf(sign), inner, false), operand)
      })
    },
    { recoveryValueFunc: noDuration },
  )

  readonly positiveDuration: ParserMethod<[number], DurationExpr> = this.RULE(
    'positiveDuration',
    (depth: number): DurationExpr => {
      const duration = this.SUBRULE(this.durationExpression, { ARGS: [depth] })
      return this.ACTION(() => this.now.durations.positive(duration))
    },
    { recoveryValueFunc: noDuration },
  )

  readonly durationPrimary: ParserMethod<[number, boolean], DurationExpr> = this.RULE(
    'durationPrimary',
    (depth: number, isSigned: boolean): DurationExpr =>
      this.OR([
        {
          ALT: () => {
            const token = this.CONSUME(t.NumberLike)
            return this.ACTION(() => {
              const { value, isDuration, span: place } = readNumberToken(token, this.now.report)
              return this.now.durations.number(value, isDuration, place)
            })
          },
        },
        {
          ALT: () => {
            const word = this.OR2([{ ALT: () => this.CONSUME(t.Step) }, { ALT: () => this.CONSUME(t.Range) }])
            this.CONSUME(t.LParen)
            this.CONSUME(t.RParen)
            return this.ACTION(() => this.#durationCall(word, []))
          },
        },
        {
          ALT: () => {
            const word = this.OR3([{ ALT: () => this.CONSUME(t.MinOf) }, { ALT: () => this.CONSUME(t.MaxOf) }])
            this.CONSUME2(t.LParen)
            const first = this.SUBRULE(this.durationExpression, { ARGS: [depth + 1] })
            this.CONSUME(t.Comma)
            const second = this.SUBRULE2(this.durationExpression, { ARGS: [depth + 1] })
            this.CONSUME2(t.RParen)
            return this.ACTION(() => this.#durationCall(word, [first, second]))
          },
        },
        {
          ALT: () => {
            this.CONSUME3(t.LParen)
            const inner = this.SUBRULE3(this.durationExpression, { ARGS: [depth + 1] })
            this.CONSUME3(t.RParen)
            return this.ACTION(() => {
              const { durations } = this.now
              return isSigned ? durations.signedParen(inner) : durations.paren(inner)
            })
          },
        },
      ]),
    { recoveryValueFunc: noDuration },
  )

  #startDurationChain(depth: number): DurationChain {
    this.checkDepth(depth)
    const { durations } = this.now
    return new OperatorChain<DurationExpr, undefined>({
      unary: (op, operand) => durations.unary(op.text === '-' ? '-' : '+', op.span, operand),
      binary: (op, _, lhs, rhs) => durations.binary(op.text as DurationBinary['op'], op.span, lhs, rhs),
    })
  }

  #signed(sign: Operator, operand: DurationExpr, keepsPlus: boolean): DurationExpr {
    return this.now.durations.unary(sign.text === '-' ? '-' : '+', sign.span, operand, keepsPlus)
  }

  /** After one sign a call keeps even a plus. */
  #signedOffset(sign: Operator, operand: DurationExpr): DurationExpr {
    return this.#signed(sign, operand, operand.kind === 'duration-call' && !operand.isWrapped)
  }

  #durationCall(word: Token, args: readonly DurationExpr[]): DurationExpr {
    const name = word.image.toLowerCase() as DurationCall['name']
    return this.now.durations.call(name, args, span(spanOfToken(word).start, this.lastEnd))
  }

  #matcher(first: Token, label: string, op: Token, value: Token): Matcher {
    const place: Span = span(spanOfToken(first).start, spanOfToken(value).end)
    return makeMatcher(label, op.image as MatchOp, readStringToken(value), place, this.now.report)
  }
}
