import { spanUnion } from '../../../base/index.ts'
import { EOF, OperatorChain, type Rule } from '../../kit/index.ts'
import type { BinaryOp, DurationExpr, PromqlExpr, RangeExtension, VectorMatching } from '../ast.ts'
import { PLAIN_MATCHING, type BinaryModifiers, type GroupingClause } from '../build.ts'
import { promqlDiagnostic } from '../diagnostics.ts'
import { promqlPrecedences } from './precedence.ts'
import { numberLiteral, readNumberToken, spanOfToken, stringLiteral, wordOf } from './read-tokens.ts'
import type { Token } from './refine.ts'
import { ignore, noExpr, operatorOf, PromqlSyntax, type ParseSession } from './syntax.ts'
import * as t from './tokens.ts'

type ExprChain = OperatorChain<PromqlExpr, BinaryModifiers>

interface FillSide {
  readonly side: string
  readonly value: number
}

/**
 * The PromQL parser. Parses chains of operators flat and orders them by precedence afterwards; parses modifiers of a
 * selector in a loop. It therefore recurses only for brackets.
 */
export class PromqlParser extends PromqlSyntax {
  constructor(isValidated = false) {
    super(isValidated)
    this.build()
  }

  /** Parses tokens to a tree. Reports errors to the session; a tree with errors contains only the parsed parts. */
  parse(tokens: Token[], session: ParseSession): PromqlExpr {
    return this.read(this.query, tokens, session)
  }

  readonly query: Rule<[], PromqlExpr> = this.RULE('query', (): PromqlExpr =>
    this.attempt(() => {
      const expr = this.subrule(this.expression)
      this.expectNext([EOF])
      return expr
    }, noExpr),
  )

  readonly expression: Rule<[], PromqlExpr> = this.RULE('expression', (): PromqlExpr => {
    const chain = this.ACTION(() => this.#startChain())
    this.subrule(this.operand, chain)
    this.many(0, () => {
      const op = this.consume(t.BinaryOperator)
      const modifiers = this.subrule(this.binaryModifiers)
      this.ACTION(() => chain.binary(operatorOf(op), modifiers))
      this.subrule(this.operand, chain)
    })
    return this.ACTION(() => chain.finish() ?? noExpr())
  })

  readonly operand: Rule<[ExprChain], void> = this.RULE('operand', (chain: ExprChain) => {
    this.many(0, () => {
      const sign = this.consume(t.UnaryOperator)
      this.ACTION(() => chain.prefix(operatorOf(sign)))
    })
    let expr = this.subrule(this.primary)
    this.many(1, () => {
      expr = this.or(0, [
        { ALT: () => this.subrule(this.rangeSuffix, expr) },
        { ALT: () => this.subrule(this.offsetSuffix, expr) },
        { ALT: () => this.subrule(this.atSuffix, expr) },
        { ALT: () => this.subrule(this.extensionSuffix, expr) },
      ])
    })
    this.ACTION(() => chain.operand(expr))
  })

  readonly primary: Rule<[], PromqlExpr> = this.RULE('primary', (): PromqlExpr =>
    this.or(0, [
      {
        ALT: () => {
          const token = this.consume(t.NumberLike)
          return this.ACTION((): PromqlExpr => numberLiteral(readNumberToken(token, this.session.reportContent)))
        },
      },
      {
        ALT: () => {
          const token = this.consume(t.StringToken)
          return this.ACTION((): PromqlExpr => stringLiteral(token))
        },
      },
      { ALT: () => this.subrule(this.parenthesised) },
      { GATE: () => this.isNext(t.LParen, 2), ALT: () => this.subrule(this.call) },
      { GATE: () => this.isNextOneOf([t.LParen, t.By, t.Without], 2), ALT: () => this.subrule(this.aggregation) },
      { ALT: () => this.subrule(this.selector) },
    ]),
  )

  readonly parenthesised: Rule<[], PromqlExpr> = this.RULE('parenthesised', (): PromqlExpr => {
    const open = this.consume(t.LParen)
    const expr = this.nested(() =>
      this.attempt(() => {
        const inner = this.subrule(this.expression)
        this.expectNext([t.RParen])
        return inner
      }, noExpr),
    )
    const close = this.consume(t.RParen)
    return this.ACTION((): PromqlExpr => ({
      kind: 'paren',
      valueType: expr.valueType,
      expr,
      span: spanUnion(spanOfToken(open), spanOfToken(close)),
    }))
  })

  readonly call: Rule<[], PromqlExpr> = this.RULE('call', (): PromqlExpr => {
    const name = this.consume(t.CallWord)
    const args = this.subrule(this.callArguments)
    return this.ACTION((): PromqlExpr => this.session.tree.call(wordOf(name), args, this.lastEnd))
  })

  readonly callArguments: Rule<[], readonly PromqlExpr[]> = this.RULE('callArguments', (): readonly PromqlExpr[] => {
    const args: PromqlExpr[] = []
    const readArgument = (): void =>
      this.nested(() =>
        this.attempt(() => {
          args.push(this.subrule(this.expression))
          this.expectNext([t.Comma, t.RParen])
        }, ignore),
      )
    this.consume(t.LParen)
    this.option(0, () => {
      readArgument()
      this.many(0, () => {
        const comma = this.consume(t.Comma)
        const count = args.length
        this.option(1, readArgument)
        this.ACTION(() => {
          if (args.length === count && !this.isNext(t.Fault)) {
            this.session.reportContent(promqlDiagnostic('trailing-comma', undefined, spanOfToken(comma)))
          }
        })
      })
    })
    this.consume(t.RParen)
    return args
  })

  readonly aggregation: Rule<[], PromqlExpr> = this.RULE('aggregation', (): PromqlExpr => {
    const word = this.consume(t.Aggregator)
    const before = this.option(0, () => this.subrule(this.groupingClause))
    const args = this.subrule(this.callArguments)
    const after = this.option(1, {
      GATE: () => before === undefined,
      DEF: () => this.subrule(this.groupingClause),
    })
    return this.ACTION((): PromqlExpr => {
      const { tree } = this.session
      return tree.aggregation(wordOf(word), before ?? after, args, this.lastEnd)
    })
  })

  readonly groupingClause: Rule<[], GroupingClause> = this.RULE('groupingClause', (): GroupingClause => {
    const isWithout = this.or(0, [
      {
        ALT: () => {
          this.consume(t.By)
          return false
        },
      },
      {
        ALT: () => {
          this.consume(t.Without)
          return true
        },
      },
    ])
    const labels = this.subrule(this.labelList)
    return { isWithout, labels }
  })

  readonly binaryModifiers: Rule<[], BinaryModifiers> = this.RULE('binaryModifiers', (): BinaryModifiers => {
    const bool = this.option(0, () => this.consume(t.Bool))
    const matching = this.option(1, () => this.subrule(this.matchingClause))
    const fills: FillSide[] = []
    this.option(2, () => {
      const first = this.subrule(this.fillClause)
      fills.push(first)
      this.option(3, {
        // Only `fill_right` may follow `fill_left`, and only `fill_left` may follow `fill_right`.
        GATE: () => first.side !== 'fill' && !['fill', first.side].includes(this.LA(1).image.toLowerCase()),
        DEF: () => {
          const second = this.subrule(this.fillClause)
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
  })

  readonly matchingClause: Rule<[], VectorMatching> = this.RULE('matchingClause', (): VectorMatching => {
    const isOn = this.or(0, [
      {
        ALT: () => {
          this.consume(t.On)
          return true
        },
      },
      {
        ALT: () => {
          this.consume(t.Ignoring)
          return false
        },
      },
    ])
    const labels = this.subrule(this.labelList)
    let cardinality: 'one-to-one' | 'many-to-one' | 'one-to-many' = 'one-to-one'
    let include: readonly string[] = []
    this.option(0, () => {
      cardinality = this.or(1, [
        {
          ALT: () => {
            this.consume(t.GroupLeft)
            return 'many-to-one' as const
          },
        },
        {
          ALT: () => {
            this.consume(t.GroupRight)
            return 'one-to-many' as const
          },
        },
      ])
      include = this.option(1, () => this.subrule(this.labelList)) ?? []
    })
    return { ...PLAIN_MATCHING, cardinality, isOn, labels, include }
  })

  readonly fillClause: Rule<[], FillSide> = this.RULE('fillClause', (): FillSide => {
    const word = this.consume(t.FillWord)
    this.consume(t.LParen)
    const value = this.subrule(this.signedNumber)
    this.consume(t.RParen)
    return this.ACTION(() => ({ side: word.image.toLowerCase(), value }))
  })

  readonly rangeSuffix: Rule<[PromqlExpr], PromqlExpr> = this.RULE('rangeSuffix', (expr: PromqlExpr): PromqlExpr => {
    const open = this.consume(t.LBracket)
    this.ACTION(() => {
      this.session.isPastColon = false
    })
    const range = this.subrule(this.positiveDuration)
    let colon: Token | undefined
    let step: DurationExpr | undefined
    this.option(0, () => {
      colon = this.consume(t.Colon)
      this.ACTION(() => {
        this.session.isPastColon = true
      })
      step = this.option(1, () => this.subrule(this.positiveDuration))
    })
    const close = this.consume(t.RBracket)
    return this.ACTION(() => {
      const brackets = spanUnion(spanOfToken(open), spanOfToken(close))
      if (colon === undefined) return this.session.modifiers.range(expr, range, brackets)
      return this.session.modifiers.subquery(expr, range, step, brackets)
    })
  })

  readonly offsetSuffix: Rule<[PromqlExpr], PromqlExpr> = this.RULE('offsetSuffix', (expr: PromqlExpr): PromqlExpr => {
    this.consume(t.Offset)
    const offset = this.subrule(this.offsetDuration)
    return this.ACTION(() => this.session.modifiers.offset(expr, offset, this.lastEnd))
  })

  readonly atSuffix: Rule<[PromqlExpr], PromqlExpr> = this.RULE('atSuffix', (expr: PromqlExpr): PromqlExpr => {
    this.consume(t.At)
    return this.or(0, [
      {
        ALT: () => {
          const seconds = this.subrule(this.signedNumber)
          return this.ACTION(() => this.session.modifiers.atTime(expr, seconds, this.lastEnd))
        },
      },
      {
        ALT: () => {
          const edge = this.consume(t.Edge)
          this.consume(t.LParen)
          this.consume(t.RParen)
          return this.ACTION(() => {
            const word = edge.image.toLowerCase() === 'end' ? 'end' : 'start'
            return this.session.modifiers.atEdge(expr, word, this.lastEnd)
          })
        },
      },
    ])
  })

  readonly extensionSuffix: Rule<[PromqlExpr], PromqlExpr> = this.RULE(
    'extensionSuffix',
    (expr: PromqlExpr): PromqlExpr => {
      const word = this.or(0, [{ ALT: () => this.consume(t.Anchored) }, { ALT: () => this.consume(t.Smoothed) }])
      return this.ACTION(() => this.session.modifiers.extension(expr, word.image.toLowerCase() as RangeExtension))
    },
  )

  #startChain(): ExprChain {
    const { tree } = this.session
    return new OperatorChain<PromqlExpr, BinaryModifiers>(promqlPrecedences, {
      unary: (op, operand) => tree.unary(op.text === '-' ? '-' : '+', op.span, operand),
      binary: (op, modifiers, lhs, rhs) => tree.binary(op.text as BinaryOp, modifiers, lhs, rhs),
    })
  }
}
