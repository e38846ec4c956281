import type { ParserMethod } from 'chevrotain'
import { spanUnion } from '../../base/index.ts'
import type { BinaryOp, DurationExpr, PromqlExpr, RangeExtension, VectorMatching } from './ast.ts'
import { PLAIN_MATCHING, type BinaryModifiers, type GroupingClause } from './build.ts'
import { promqlDiagnostic } from './diagnostics.ts'
import { OperatorChain } from './operator-chain.ts'
import { numberLiteral, readNumberToken, spanOfToken, stringLiteral, wordOf } from './read-tokens.ts'
import type { Token } from './refine.ts'
import { noExpr, operatorOf, PromqlSyntax, type ParseSession } from './syntax.ts'
import * as t from './tokens.ts'

type ExprChain = OperatorChain<PromqlExpr, BinaryModifiers>

interface FillSide {
  readonly side: string
  readonly value: number
}

const NO_EXPR = { recoveryValueFunc: noExpr }

/**
 * The grammar. Rows of operators are read flat and ordered by precedence afterwards; whatever may follow a selector
 * is read in a loop; so only brackets nest, and `depth` counts them.
 */
export class PromqlParser extends PromqlSyntax {
  constructor(skipValidations = true) {
    super(skipValidations)
    this.performSelfAnalysis()
  }

  /** The tree of a row of tokens; `errors` has what did not fit the grammar. */
  parse(tokens: Token[], session: ParseSession): PromqlExpr {
    this.begin(tokens, session)
    return this.query()
  }

  readonly query: ParserMethod<[], PromqlExpr> = this.RULE(
    'query',
    (): PromqlExpr => this.SUBRULE(this.expression, { ARGS: [0] }),
    NO_EXPR,
  )

  readonly expression: ParserMethod<[number], PromqlExpr> = this.RULE(
    'expression',
    (depth: number): PromqlExpr => {
      const chain = this.ACTION(() => this.#startChain(depth))
      this.SUBRULE(this.operand, { ARGS: [chain, depth] })
      this.MANY(() => {
        const op = this.CONSUME(t.BinaryOperator)
        const modifiers = this.SUBRULE(this.binaryModifiers)
        this.ACTION(() => chain.binary(operatorOf(op), modifiers))
        this.SUBRULE2(this.operand, { ARGS: [chain, depth] })
      })
      return this.ACTION(() => chain.finish() ?? noExpr())
    },
    NO_EXPR,
  )

  readonly operand: ParserMethod<[ExprChain, number], void> = this.RULE(
    'operand',
    (chain: ExprChain, depth: number) => {
      this.MANY(() => {
        const sign = this.CONSUME(t.UnaryOperator)
        this.ACTION(() => chain.sign(operatorOf(sign)))
      })
      let expr = this.SUBRULE(this.primary, { ARGS: [depth] })
      this.MANY2(() => {
        expr = this.OR([
          { ALT: () => this.SUBRULE(this.rangeSuffix, { ARGS: [expr, depth] }) },
          { ALT: () => this.SUBRULE(this.offsetSuffix, { ARGS: [expr, depth] }) },
          { ALT: () => this.SUBRULE(this.atSuffix, { ARGS: [expr] }) },
          { ALT: () => this.SUBRULE(this.extensionSuffix, { ARGS: [expr] }) },
        ])
      })
      this.ACTION(() => chain.operand(expr))
    },
  )

  readonly primary: ParserMethod<[number], PromqlExpr> = this.RULE(
    'primary',
    (depth: number): PromqlExpr =>
      this.OR([
        {
          ALT: () => {
            const token = this.CONSUME(t.NumberLike)
            return this.ACTION((): PromqlExpr => numberLiteral(readNumberToken(token, this.now.report)))
          },
        },
        {
          ALT: () => {
            const token = this.CONSUME(t.StringToken)
            return this.ACTION((): PromqlExpr => stringLiteral(token))
          },
        },
        { ALT: () => this.SUBRULE(this.parenthesised, { ARGS: [depth] }) },
        { ALT: () => this.SUBRULE(this.call, { ARGS: [depth] }) },
        { ALT: () => this.SUBRULE(this.aggregation, { ARGS: [depth] }) },
        { ALT: () => this.SUBRULE(this.selector) },
      ]),
    NO_EXPR,
  )

  readonly parenthesised: ParserMethod<[number], PromqlExpr> = this.RULE(
    'parenthesised',
    (depth: number): PromqlExpr => {
      const open = this.CONSUME(t.LParen)
      const expr = this.SUBRULE(this.expression, { ARGS: [depth + 1] })
      const close = this.CONSUME(t.RParen)
      return this.ACTION((): PromqlExpr => ({
        kind: 'paren',
        valueType: expr.valueType,
        expr,
        span: spanUnion(spanOfToken(open), spanOfToken(close)),
      }))
    },
    NO_EXPR,
  )

  readonly call: ParserMethod<[number], PromqlExpr> = this.RULE(
    'call',
    (depth: number): PromqlExpr => {
      const name = this.CONSUME(t.CallWord)
      const args = this.SUBRULE(this.callArguments, { ARGS: [depth] })
      return this.ACTION((): PromqlExpr => this.now.tree.call(wordOf(name), args, this.lastEnd))
    },
    NO_EXPR,
  )

  readonly callArguments: ParserMethod<[number], readonly PromqlExpr[]> = this.RULE(
    'callArguments',
    (depth: number): readonly PromqlExpr[] => {
      const args: PromqlExpr[] = []
      this.CONSUME(t.LParen)
      this.OPTION(() => {
        const first = this.SUBRULE(this.expression, { ARGS: [depth + 1] })
        this.ACTION(() => args.push(first))
        this.MANY(() => {
          const comma = this.CONSUME(t.Comma)
          const next = this.OPTION2(() => this.SUBRULE2(this.expression, { ARGS: [depth + 1] }))
          this.ACTION(() => {
            if (next !== undefined) args.push(next)
            else if (this.LA(1).tokenType !== t.Fault) {
              this.now.report(promqlDiagnostic('trailing-comma', undefined, spanOfToken(comma)))
            }
          })
        })
      })
      this.CONSUME(t.RParen)
      return args
    },
    { recoveryValueFunc: () => [] },
  )

  readonly aggregation: ParserMethod<[number], PromqlExpr> = this.RULE(
    'aggregation',
    (depth: number): PromqlExpr => {
      const word = this.CONSUME(t.Aggregator)
      const before = this.OPTION(() => this.SUBRULE(this.groupingClause))
      const args = this.SUBRULE(this.callArguments, { ARGS: [depth] })
      const after = this.OPTION2({
        GATE: () => before === undefined,
        DEF: () => this.SUBRULE2(this.groupingClause),
      })
      return this.ACTION((): PromqlExpr => {
        const { tree } = this.now
        return tree.aggregation(wordOf(word), before ?? after, args, this.lastEnd)
      })
    },
    NO_EXPR,
  )

  readonly groupingClause: ParserMethod<[], GroupingClause> = this.RULE(
    'groupingClause',
    (): GroupingClause => {
      const isWithout = this.OR([
        {
          ALT: () => {
            this.CONSUME(t.By)
            return false
          },
        },
        {
          ALT: () => {
            this.CONSUME(t.Without)
            return true
          },
        },
      ])
      const labels = this.SUBRULE(this.labelList)
      return { isWithout, labels }
    },
    { recoveryValueFunc: () => ({ isWithout: false, labels: [] }) },
  )

  readonly binaryModifiers: ParserMethod<[], BinaryModifiers> = this.RULE(
    'binaryModifiers',
    (): BinaryModifiers => {
      const bool = this.OPTION(() => this.CONSUME(t.Bool))
      const matching = this.OPTION2(() => this.SUBRULE(this.matchingClause))
      const fills: FillSide[] = []
      this.OPTION3(() => {
        const first = this.SUBRULE(this.fillClause)
        fills.push(first)
        this.OPTION4({
          GATE: () => first.side !== 'fill' && this.LA(1).image.toLowerCase() !== first.side,
          DEF: () => {
            const second = this.SUBRULE2(this.fillClause)
            fills.push(second)
          },
        })
      })
      return this.ACTION(() => {
        const plain = matching ?? PLAIN_MATCHING
        if (fills.length === 0) return { isBool: bool !== undefined, matching: plain }
        const valueOf = (side: string): number | undefined =>
          fills.find((fill) => fill.side === 'fill' || fill.side === side)?.value
        const filled = { ...plain, fillLeft: valueOf('fill_left'), fillRight: valueOf('fill_right') }
        return { isBool: bool !== undefined, matching: filled }
      })
    },
    { recoveryValueFunc: () => ({ isBool: false, matching: PLAIN_MATCHING }) },
  )

  readonly matchingClause: ParserMethod<[], VectorMatching> = this.RULE(
    'matchingClause',
    (): VectorMatching => {
      const isOn = this.OR([
        {
          ALT: () => {
            this.CONSUME(t.On)
            return true
          },
        },
        {
          ALT: () => {
            this.CONSUME(t.Ignoring)
            return false
          },
        },
      ])
      const labels = this.SUBRULE(this.labelList)
      let cardinality: 'one-to-one' | 'many-to-one' | 'one-to-many' = 'one-to-one'
      let include: readonly string[] = []
      this.OPTION(() => {
        cardinality = this.OR2([
          {
            ALT: () => {
              this.CONSUME(t.GroupLeft)
              return 'many-to-one' as const
            },
          },
          {
            ALT: () => {
              this.CONSUME(t.GroupRight)
              return 'one-to-many' as const
            },
          },
        ])
        include = this.OPTION2(() => this.SUBRULE2(this.labelList)) ?? []
      })
      return { ...PLAIN_MATCHING, cardinality, isOn, labels, include }
    },
    { recoveryValueFunc: () => PLAIN_MATCHING },
  )

  readonly fillClause: ParserMethod<[], FillSide> = this.RULE(
    'fillClause',
    (): FillSide => {
      const word = this.CONSUME(t.FillWord)
      this.CONSUME(t.LParen)
      const value = this.SUBRULE(this.signedNumber)
      this.CONSUME(t.RParen)
      return this.ACTION(() => ({ side: word.image.toLowerCase(), value }))
    },
    { recoveryValueFunc: () => ({ side: 'fill', value: 0 }) },
  )

  readonly rangeSuffix: ParserMethod<[PromqlExpr, number], PromqlExpr> = this.RULE(
    'rangeSuffix',
    (expr: PromqlExpr, depth: number): PromqlExpr => {
      const open = this.CONSUME(t.LBracket)
      this.ACTION(() => {
        this.now.isPastColon = false
      })
      const range = this.SUBRULE(this.positiveDuration, { ARGS: [depth] })
      let colon: Token | undefined
      let step: DurationExpr | undefined
      this.OPTION(() => {
        colon = this.CONSUME(t.Colon)
        this.ACTION(() => {
          this.now.isPastColon = true
        })
        step = this.OPTION2(() => this.SUBRULE2(this.positiveDuration, { ARGS: [depth] }))
      })
      const close = this.CONSUME(t.RBracket)
      return this.ACTION(() => {
        const brackets = spanUnion(spanOfToken(open), spanOfToken(close))
        if (colon === undefined) return this.now.modifiers.range(expr, range, brackets)
        return this.now.modifiers.subquery(expr, range, step, brackets)
      })
    },
    NO_EXPR,
  )

  readonly offsetSuffix: ParserMethod<[PromqlExpr, number], PromqlExpr> = this.RULE(
    'offsetSuffix',
    (expr: PromqlExpr, depth: number): PromqlExpr => {
      this.CONSUME(t.Offset)
      const offset = this.SUBRULE(this.offsetDuration, { ARGS: [depth] })
      return this.ACTION(() => this.now.modifiers.offset(expr, offset, this.lastEnd))
    },
    NO_EXPR,
  )

  readonly atSuffix: ParserMethod<[PromqlExpr], PromqlExpr> = this.RULE(
    'atSuffix',
    (expr: PromqlExpr): PromqlExpr => {
      this.CONSUME(t.At)
      return this.OR([
        {
          ALT: () => {
            const seconds = this.SUBRULE(this.signedNumber)
            return this.ACTION(() => this.now.modifiers.atTime(expr, seconds, this.lastEnd))
          },
        },
        {
          ALT: () => {
            const edge = this.CONSUME(t.Edge)
            this.CONSUME(t.LParen)
            this.CONSUME(t.RParen)
            return this.ACTION(() => {
              const word = edge.image.toLowerCase() === 'end' ? 'end' : 'start'
              return this.now.modifiers.atEdge(expr, word, this.lastEnd)
            })
          },
        },
      ])
    },
    NO_EXPR,
  )

  readonly extensionSuffix: ParserMethod<[PromqlExpr], PromqlExpr> = this.RULE(
    'extensionSuffix',
    (expr: PromqlExpr): PromqlExpr => {
      const word = this.OR([{ ALT: () => this.CONSUME(t.Anchored) }, { ALT: () => this.CONSUME(t.Smoothed) }])
      return this.ACTION(() => this.now.modifiers.extension(expr, word.image.toLowerCase() as RangeExtension))
    },
    NO_EXPR,
  )

  #startChain(depth: number): ExprChain {
    this.checkDepth(depth)
    const { tree } = this.now
    return new OperatorChain<PromqlExpr, BinaryModifiers>({
      unary: (op, operand) => tree.unary(op.text === '-' ? '-' : '+', op.span, operand),
      binary: (op, modifiers, lhs, rhs) => tree.binary(op.text as BinaryOp, modifiers, lhs, rhs),
    })
  }
}
