import { regexpFault, span } from '../../../base/index.ts'
import { readDurationNs, readRange, type GoSession, type GoNumber } from '../../go-scanner/index.ts'
import { EOF, OperatorChain, type Rule, type Token } from '../../kit/index.ts'
import { promqlPrecedences } from '../../promql/parser/precedence.ts'
import type * as ast from '../ast.ts'
import { checkRange, checkVector } from '../check-aggregation.ts'
import { logqlDiagnostic, type Side } from '../diagnostics.ts'
import { fold } from '../fold.ts'
import { LogqlSyntax } from './syntax.ts'
import * as t from './tokens.ts'

type Matching = NonNullable<ast.Binary['matching']>

interface Modifiers {
  readonly isBool: boolean
  readonly matching: Matching | undefined
}

/** A numeric argument, with its text for messages. */
interface Parameter extends GoNumber {
  readonly text: string
}

/** A log query and its range, as far as parsed. The range may stand at several positions. */
interface LogRange {
  logs: ast.LogQuery
  unwrap: ast.Unwrap | undefined
  rangeMs: number | undefined
  offsetNs: bigint
}

const NO_NUMBER: ast.NumberLiteral = { kind: 'number', value: 0, span: span(0, 0) }

/** The upper half of the grammar: metric queries and complete queries. */
export class LogqlParser extends LogqlSyntax {
  constructor(isValidated = false) {
    super(isValidated)
    this.build()
  }

  /** Parses a text. The result may be used only if no error was reported. */
  parse(tokens: readonly Token[], session: GoSession): ast.LogqlExpr | undefined {
    return this.read(this.query, tokens, session)
  }

  readonly query: Rule<[], ast.LogqlExpr | undefined> = this.RULE('query', () =>
    this.attempt<ast.LogqlExpr | undefined>(
      () => {
        const expr = this.subrule(this.expression)
        this.expectAfter([EOF])
        return expr
      },
      () => undefined,
    ),
  )

  readonly expression: Rule<[], ast.LogqlExpr> = this.RULE('expression', (): ast.LogqlExpr => {
    const chain = this.ACTION(() => this.#startChain())
    const first = this.subrule(this.operand)
    this.ACTION(() => chain.operand(first))
    this.many(0, () => {
      const op = this.consume(t.BinaryOperator)
      const modifiers = this.subrule(this.modifiers)
      this.ACTION(() => {
        this.countOperator(op)
        chain.binary({ text: op.image.toLowerCase(), span: this.tokenSpan(op) }, modifiers)
      })
      const next = this.subrule(this.operand)
      this.ACTION(() => chain.operand(next))
    })
    return this.ACTION(() => chain.finish() ?? NO_NUMBER)
  })

  readonly operand: Rule<[], ast.LogqlExpr> = this.RULE('operand', (): ast.LogqlExpr =>
    this.or<ast.LogqlExpr>(0, [
      { ALT: () => this.subrule(this.logs) },
      { ALT: () => this.subrule(this.number) },
      { ALT: () => this.subrule(this.rangeAggregation) },
      { ALT: () => this.subrule(this.vectorAggregation) },
      { ALT: () => this.subrule(this.labelReplace) },
      { ALT: () => this.subrule(this.vector) },
      { ALT: () => this.subrule(this.group) },
    ]),
  )

  readonly group: Rule<[], ast.LogqlExpr> = this.RULE('group', (): ast.LogqlExpr => {
    this.consume(t.LParen)
    const inner = this.nested(() => this.subrule(this.expression))
    this.expectAfter([t.RParen])
    this.consume(t.RParen)
    return inner
  })

  readonly number: Rule<[], ast.NumberLiteral> = this.RULE('number', () => {
    const start = this.startOffset()
    const sign = this.option(0, () => this.consume(t.Sign))
    const token = this.consume(t.NumberToken)
    return this.ACTION(() => {
      const value = this.#valueOf(token, 'literal')
      return { kind: 'number', value: sign?.image === '-' ? -value : value, span: this.spanFrom(start) }
    })
  })

  #valueOf(token: Token, as: 'literal' | 'vectorExpr'): number {
    const { value, valueFault } = this.numberOf(token)
    if (valueFault !== undefined) {
      const data = { text: token.image, as, fault: valueFault }
      this.session.reportMeaning(logqlDiagnostic('bad-number', data, this.tokenSpan(token)))
    }
    return value
  }

  readonly vector: Rule<[], ast.VectorLiteral> = this.RULE('vector', () => {
    const word = this.consume(t.Vector)
    this.consume(t.LParen)
    const token = this.consume(t.NumberToken)
    this.consume(t.RParen)
    return this.ACTION(() => {
      const value = this.#valueOf(token, 'vectorExpr')
      return { kind: 'vector', value, span: this.spanFrom(word.startOffset) }
    })
  })

  /** Rule for a number as first argument, before a comma. */
  readonly parameter: Rule<[], Parameter> = this.RULE('parameter', () => {
    const token = this.consume(t.NumberToken)
    this.consume(t.Comma)
    return this.ACTION(() => ({ text: token.image, ...this.numberOf(token) }))
  })

  readonly rangeAggregation: Rule<[], ast.RangeAggregation> = this.RULE('rangeAggregation', () => {
    const word = this.consume(t.RangeFunction)
    this.consume(t.LParen)
    const args = this.or<readonly [Parameter | undefined, LogRange]>(0, [
      {
        ALT: () => {
          const read = this.subrule(this.parameter)
          return [read, this.nested(() => this.subrule(this.logRange, false))]
        },
      },
      { ALT: () => [undefined, this.nested(() => this.subrule(this.logRange, false))] },
    ])
    this.consume(t.RParen)
    const grouping = this.option(0, () => this.subrule(this.grouping))
    return this.ACTION(() => {
      const [parameter, range] = args
      const node: ast.RangeAggregation = {
        kind: 'range-aggregation',
        fn: word.image.toLowerCase(),
        param: parameter?.value,
        logs: range.logs,
        unwrap: range.unwrap,
        rangeMs: range.rangeMs ?? 0,
        offsetNs: range.offsetNs,
        grouping,
        span: this.spanFrom(word.startOffset),
      }
      checkRange(node, parameter, this.session.reportMeaning)
      return node
    })
  })

  /**
   * Rule for a log query with a range. The range follows the stages or the selector, and both forms may be in
   * parentheses. `isInner` is true inside parentheses, where the range may also follow the closing parenthesis.
   */
  readonly logRange: Rule<[boolean], LogRange> = this.RULE('logRange', (isInner) => {
    const range = this.or<LogRange>(0, [
      {
        ALT: () => {
          const start = this.startOffset()
          const matchers = this.subrule(this.selector)
          const stages = this.subrule(this.stages, true)
          const unwrap = this.option(0, () => this.subrule(this.unwrap))
          const after = [
            t.Range,
            t.Pipe,
            ...(unwrap === undefined ? [t.LineOperator] : []),
            ...(isInner ? [t.RParen] : []),
          ]
          this.expectNext(after)
          return this.ACTION(() => ({
            logs: { kind: 'log-query', matchers, stages, span: this.spanFrom(start) },
            unwrap,
            rangeMs: undefined,
            offsetNs: 0n,
          }))
        },
      },
      {
        ALT: () => {
          this.consume(t.LParen)
          const inner = this.nested(() => this.subrule(this.logRange, true))
          this.consume(t.RParen)
          this.ACTION(() => {
            if (inner.rangeMs === undefined) this.expectNext([t.Range])
          })
          return inner
        },
      },
    ])
    const wasBare = this.ACTION(() => range.logs.stages.length === 0 && range.unwrap === undefined)
    this.option(1, {
      GATE: () => range.rangeMs === undefined,
      DEF: () => {
        const token = this.consume(t.Range)
        const offset = this.option(2, () => this.subrule(this.offset))
        this.ACTION(() => {
          const parsed = readRange(token.image.slice(1, -1))
          range.rangeMs = 'ms' in parsed ? parsed.ms : 0
          range.offsetNs = offset ?? 0n
        })
        this.option(3, {
          GATE: () => wasBare,
          DEF: () => {
            const stages = this.subrule(this.stages, true)
            this.ACTION(() => (range.logs = { ...range.logs, stages }))
          },
        })
        this.option(4, {
          GATE: () => range.unwrap === undefined,
          DEF: () => {
            const unwrap = this.subrule(this.unwrap)
            this.ACTION(() => (range.unwrap = unwrap))
          },
        })
      },
    })
    return range
  })

  readonly unwrap: Rule<[], ast.Unwrap> = this.RULE('unwrap', () => {
    const start = this.startOffset()
    this.consume(t.Pipe)
    this.consume(t.UnwrapWord)
    const value = this.or<readonly [Token, Token | undefined]>(0, [
      { ALT: () => [this.consume(t.Identifier), undefined] },
      {
        ALT: () => {
          const word = this.consume(t.Conversion)
          this.consume(t.LParen)
          const name = this.consume(t.Identifier)
          this.consume(t.RParen)
          return [name, word]
        },
      },
    ])
    const filters: ast.LabelFilter[] = []
    this.many(0, () => {
      this.consume(t.Pipe)
      filters.push(this.subrule(this.labelFilter))
    })
    return this.ACTION(() => {
      const [{ image: label }, word] = value
      const conversion = word?.image.toLowerCase() as ast.Unwrap['conversion']
      return { label, conversion, filters, span: this.spanFrom(start) }
    })
  })

  readonly offset: Rule<[], bigint> = this.RULE('offset', () => {
    this.consume(t.Offset)
    const token = this.consume(t.Duration)
    return this.ACTION(() => BigInt(readDurationNs(token.image) ?? 0))
  })

  readonly grouping: Rule<[], ast.Grouping> = this.RULE('grouping', () => {
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
    const labels = this.subrule(this.names)
    return { isWithout, labels }
  })

  readonly names: Rule<[], readonly string[]> = this.RULE('names', () => {
    const names: string[] = []
    this.consume(t.LParen)
    this.or(0, [
      { ALT: () => this.consume(t.RParen) },
      {
        ALT: () => {
          this.list(() => {
            const name = this.consume(t.Identifier)
            this.ACTION(() => names.push(name.image))
          }, [t.RParen])
          return this.consume(t.RParen)
        },
      },
    ])
    return names
  })

  readonly vectorAggregation: Rule<[], ast.VectorAggregation> = this.RULE('vectorAggregation', () => {
    const word = this.consume(t.VectorFunction)
    const before = this.option(0, () => this.subrule(this.grouping))
    this.consume(t.LParen)
    const parameter = this.option(1, {
      GATE: () => this.isNext(t.Comma, 2),
      DEF: () => this.subrule(this.parameter),
    })
    const expr = this.subrule(this.metric, [t.RParen])
    this.consume(t.RParen)
    const after = this.option(2, {
      GATE: () => before === undefined,
      DEF: () => this.subrule(this.grouping),
    })
    return this.ACTION(() => {
      const node: ast.VectorAggregation = {
        kind: 'vector-aggregation',
        op: word.image.toLowerCase(),
        param: parameter?.value,
        grouping: before ?? after,
        expr,
        span: this.spanFrom(word.startOffset),
      }
      checkVector(node, parameter, this.session.reportMeaning)
      return node
    })
  })

  /** Rule for an argument that must be a metric query, followed by a token in `end`. */
  readonly metric: Rule<[(typeof t.RParen)[]], ast.MetricExpr> = this.RULE('metric', (end) => {
    const expr = this.nested(() => this.subrule(this.expression))
    return this.ACTION(() => {
      this.expectAfter(expr.kind === 'log-query' ? [] : end)
      return expr as ast.MetricExpr
    })
  })

  readonly labelReplace: Rule<[], ast.LabelReplace> = this.RULE('labelReplace', () => {
    const word = this.consume(t.LabelReplaceWord)
    this.consume(t.LParen)
    const expr = this.subrule(this.metric, [t.Comma])
    this.consume(t.Comma)
    const target = this.subrule(this.string)
    this.consume(t.Comma)
    const replacement = this.subrule(this.string)
    this.consume(t.Comma)
    const source = this.subrule(this.string)
    this.consume(t.Comma)
    const regexp = this.subrule(this.string)
    this.consume(t.RParen)
    return this.ACTION(() => {
      const where = this.spanFrom(word.startOffset)
      const reason = regexpFault(`^(?:${regexp})$`)
      if (reason !== undefined) {
        this.session.reportMeaning(logqlDiagnostic('bad-regexp', { reason, of: 'label_replace' }, where))
      }
      return { kind: 'label-replace', expr, target, replacement, source, regexp, span: where }
    })
  })

  readonly modifiers: Rule<[], Modifiers> = this.RULE('modifiers', () => {
    const bool = this.option(0, () => this.consume(t.Bool))
    const matching = this.option(1, () => this.subrule(this.matching))
    return this.ACTION(() => ({ isBool: bool !== undefined, matching }))
  })

  readonly matching: Rule<[], Matching> = this.RULE('matching', () => {
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
    const labels = this.subrule(this.names)
    let include: readonly string[] = []
    const many = this.option(0, () => {
      const side = this.or<'left' | 'right'>(1, [
        {
          ALT: () => {
            this.consume(t.GroupLeft)
            return 'left'
          },
        },
        {
          ALT: () => {
            this.consume(t.GroupRight)
            return 'right'
          },
        },
      ])
      // The parentheses might belong to the operand, but Loki parses them as the list of labels to include.
      include = this.option(1, () => this.subrule(this.names)) ?? []
      return side
    })
    return this.ACTION(() => ({ isOn, labels, many, include }))
  })

  #startChain(): OperatorChain<ast.LogqlExpr, Modifiers> {
    return new OperatorChain<ast.LogqlExpr, Modifiers>(promqlPrecedences, {
      unary: (_, operand) => operand,
      binary: ({ text }, modifiers, lhs, rhs) =>
        this.#binary(text as ast.LogqlBinaryOp, modifiers, lhs, rhs) ?? {
          ...NO_NUMBER,
          span: span(lhs.span.start, rhs.span.end),
        },
    })
  }

  /**
   * Returns the operation; if both operands are numbers, the number that it gives. For invalid operands, reports an
   * error and returns `undefined`.
   */
  #binary(
    op: ast.LogqlBinaryOp,
    { isBool, matching }: Modifiers,
    lhs: ast.LogqlExpr,
    rhs: ast.LogqlExpr,
  ): ast.MetricExpr | undefined {
    const where = span(lhs.span.start, rhs.span.end)
    const sides: readonly (readonly [Side, ast.LogqlExpr])[] = [
      ['left', lhs],
      ['right', rhs],
    ]
    for (const [side, expr] of sides) {
      if (expr.kind === 'log-query') {
        const data = { side, op, hasStages: expr.stages.length > 0 }
        this.session.reportMeaning(logqlDiagnostic('logs-operand', data, expr.span))
        return undefined
      }
    }
    const isSet = op === 'and' || op === 'or' || op === 'unless'
    for (const [side, expr] of sides) {
      if (isSet && expr.kind === 'number') {
        this.session.reportMeaning(logqlDiagnostic('number-operand', { side, op, value: expr.value }, expr.span))
        return undefined
      }
    }
    if (lhs.kind === 'number' && rhs.kind === 'number') {
      return { kind: 'number', value: fold(op, lhs.value, rhs.value), span: where }
    }
    return { kind: 'binary', op, lhs: lhs as ast.MetricExpr, rhs: rhs as ast.MetricExpr, isBool, matching, span: where }
  }
}
