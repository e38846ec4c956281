import type { Span } from '../../../base/index.ts'
import { ignore } from '../../go-scanner/index.ts'
import { EOF, type Rule, type Token, type TokenType } from '../../kit/index.ts'
import type * as ast from '../ast.ts'
import { checkGroup, checkSecondStage } from '../check.ts'
import { numberOf } from './literals.ts'
import { MetricSyntax } from './metrics.ts'
import { operatorsAfter, spansOf, starts, takesStage, type PipelineFragment, type StagePosition } from './parts.ts'
import type { TraceqlSession } from './session.ts'
import * as t from './tokens.ts'

/** Token types with which a stage after spans may begin. */
const STAGE_STARTS = [
  ...starts.stage,
  t.By,
  t.Coalesce,
  t.Select,
  t.CountMetric,
  t.FieldMetric,
  t.QuantileOverTime,
  t.Compare,
]

/** The upper part of the grammar: pipelines and complete queries. */
export class TraceqlParser extends MetricSyntax {
  constructor(isValidated = false) {
    super(isValidated)
    this.build()
  }

  /** Parses a text. The result may be used only if no error was reported. */
  parse(tokens: readonly Token[], session: TraceqlSession): ast.TraceqlExpr | undefined {
    return this.read(this.query, tokens, session)
  }

  readonly query: Rule<[], ast.TraceqlExpr | undefined> = this.RULE('query', () =>
    this.attempt<ast.TraceqlExpr | undefined>(
      () => {
        const start = this.startOffset()
        const part = this.subrule(this.content, 'all')
        this.ACTION(() => this.#expectEnd(part))
        const hints = this.subrule(this.hints)
        return this.ACTION(() => {
          const where = this.spanFrom(start)
          return part.kind === 'metric'
            ? { kind: 'metrics-query', metric: part.expr, hints, span: where }
            : { kind: 'trace-query', spans: spansOf(part), hints, span: where }
        })
      },
      () => undefined,
    ),
  )

  /**
   * Fails unless the query may end after a fragment. Like Tempo's message, the error lists only `with` as expected,
   * because the query is complete.
   */
  #expectEnd(part: PipelineFragment): void {
    const types: TokenType[] = operatorsAfter(part, 'all').map(([type]) => type)
    if (takesStage(part, 'all')) types.push(t.Pipe, ...(part.kind === 'metric' ? [t.CompareOperator] : []))
    if (part.kind === 'scalar' || part.kind === 'scalar-pipeline') {
      this.expectNext(types.length > 0 ? types : [t.ArithmeticOperator, t.CompareOperator])
    } else this.expectListing([...types, t.With, EOF], [t.With])
  }

  readonly hints: Rule<[], readonly ast.Hint[]> = this.RULE('hints', () => {
    const hints: ast.Hint[] = []
    this.many(0, () => {
      this.consume(t.With)
      this.consume(t.LParen)
      this.list(() => hints.push(this.subrule(this.hint)))
      this.consume(t.RParen)
      this.ACTION(() => this.expectListing([t.With, EOF], [t.With]))
    })
    return hints
  })

  readonly hint: Rule<[], ast.Hint> = this.RULE('hint', () => {
    const name = this.consume(t.Identifier)
    this.consume(t.Equal)
    const value = this.or<ast.Literal>(0, [
      { ALT: () => this.subrule(this.literal) },
      { ALT: () => this.subrule(this.unknownName) },
    ])
    return this.ACTION(() => ({ name: name.image, value, span: this.spanFrom(name.startOffset) }))
  })

  readonly content: Rule<[StagePosition], PipelineFragment> = this.RULE('content', (position) => {
    let part = this.subrule(this.head, position)
    this.many(0, {
      GATE: () => takesStage(part, position) && (part.kind === 'metric' || this.isNext(t.Pipe)),
      DEF: () =>
        this.attempt(() => {
          part = this.or<PipelineFragment>(0, [
            {
              ALT: () => {
                const pipe = this.consume(t.Pipe)
                this.ACTION(() => this.countOperator(pipe))
                return this.subrule(this.piped, part)
              },
            },
            { ALT: () => this.subrule(this.comparison, part) },
          ])
        }, ignore),
    })
    return part
  })

  /** Rule for the start of a pipeline, which may be a stage on all spans. */
  readonly head: Rule<[StagePosition], PipelineFragment> = this.RULE('head', (position): PipelineFragment => {
    this.ACTION(() => this.expectNext(starts[position]))
    return this.or<PipelineFragment>(0, [
      { ALT: () => this.subrule(this.operation, position) },
      { ALT: () => this.#stagePart(undefined, this.subrule(this.by)) },
      { ALT: () => this.#stagePart(undefined, this.subrule(this.select)) },
    ])
  })

  /** Rule for a stage after a pipe. */
  readonly piped: Rule<[PipelineFragment], PipelineFragment> = this.RULE('piped', (input): PipelineFragment => {
    this.ACTION(() => this.expectNext(input.kind === 'metric' ? [t.Ranking] : STAGE_STARTS))
    return this.or<PipelineFragment>(0, [
      { ALT: () => this.subrule(this.ranking, input) },
      { ALT: () => this.#stagePart(input, this.subrule(this.by)) },
      { ALT: () => this.#stagePart(input, this.subrule(this.coalesce)) },
      { ALT: () => this.#stagePart(input, this.subrule(this.select)) },
      {
        ALT: () => {
          const call = this.subrule(this.metric)
          return this.ACTION(() => {
            const spans = spansOf(input)
            const where = this.spanFrom(input.span.start)
            const expr: ast.Metric = { kind: 'metric', spans, ...call, stages: [], span: where }
            return { kind: 'metric', expr, isWrapped: false, span: where }
          })
        },
      },
      {
        ALT: () => {
          const part = this.subrule(this.operation, 'stage')
          return this.ACTION(() => this.#stageOf(input, part))
        },
      },
    ])
  })

  #stagePart(input: PipelineFragment | undefined, stage: ast.Stage): PipelineFragment {
    return this.ACTION(() => {
      const start = input?.span.start ?? stage.span.start
      const stages = input?.kind === 'pipeline' ? [...input.stages, stage] : [stage]
      const from = input?.kind === 'pipeline' ? input.input : input === undefined ? undefined : spansOf(input)
      return { kind: 'pipeline', input: from, stages, span: this.spanFrom(start) }
    })
  }

  /** Returns a pipeline with a fragment appended as its last stage. */
  #stageOf(input: PipelineFragment, part: PipelineFragment): PipelineFragment {
    const { span } = part
    if (part.kind === 'spans') return this.#stagePart(input, { kind: 'filter-stage', spans: part.expr, span })
    const [comparison] = part.kind === 'pipeline' ? part.stages : []
    if (comparison !== undefined) return this.#stagePart(input, comparison)
    if (part.kind !== 'scalar' || part.aggregate === undefined)
      this.expectNext([t.ArithmeticOperator, t.CompareOperator])
    return { kind: 'scalar-pipeline', isWrapped: false, span: this.spanFrom(input.span.start) }
  }

  readonly by: Rule<[], ast.GroupStage> = this.RULE('by', () => {
    const word = this.consume(t.By)
    this.consume(t.LParen)
    const key = this.nested(() => this.subrule(this.fieldExpression, t.RParen))
    this.consume(t.RParen)
    return this.ACTION(() => {
      const node: ast.GroupStage = { kind: 'by', key, span: this.spanFrom(word.startOffset) }
      checkGroup(node, this.session)
      return node
    })
  })

  readonly coalesce: Rule<[], ast.CoalesceStage> = this.RULE('coalesce', () => {
    const word = this.consume(t.Coalesce)
    this.consume(t.LParen)
    this.consume(t.RParen)
    return this.ACTION(() => ({ kind: 'coalesce', span: this.spanFrom(word.startOffset) }))
  })

  readonly select: Rule<[], ast.SelectStage> = this.RULE('select', () => {
    const fields: ast.FieldRef[] = []
    const word = this.consume(t.Select)
    this.consume(t.LParen)
    this.list(() => fields.push(this.subrule(this.field, false)))
    this.consume(t.RParen)
    return this.ACTION(() => ({ kind: 'select', fields, span: this.spanFrom(word.startOffset) }))
  })

  readonly ranking: Rule<[PipelineFragment], PipelineFragment> = this.RULE('ranking', (input) => {
    const word = this.consume(t.Ranking)
    this.consume(t.LParen)
    const limit = this.consume(t.Integer)
    this.consume(t.RParen)
    return this.ACTION(() => {
      const stage: ast.SecondStage = { kind: word.image as 'topk' | 'bottomk', limit: Number(limit.image) }
      return this.#withSecondStage(input, stage, this.spanFrom(word.startOffset))
    })
  })

  /** Rule for a comparison stage, which keeps the samples of a metric that satisfy the comparison. */
  readonly comparison: Rule<[PipelineFragment], PipelineFragment> = this.RULE('comparison', (input) => {
    const op = this.consume(t.CompareOperator)
    const value = this.subrule(this.signedNumber)
    return this.ACTION(() => {
      this.countOperator(op)
      const stage: ast.SecondStage = { kind: 'compare', op: op.image as ast.CompareOp, value: numberOf(value) }
      return this.#withSecondStage(input, stage, this.spanFrom(op.startOffset))
    })
  })

  #withSecondStage(input: PipelineFragment, stage: ast.SecondStage, where: Span): PipelineFragment {
    if (input.kind !== 'metric' || input.expr.kind === 'number') return input
    checkSecondStage(input.expr, stage, where, this.session)
    const span = this.spanFrom(input.span.start)
    const expr: ast.MetricExpr = { ...input.expr, stages: [...input.expr.stages, stage], span }
    return { kind: 'metric', expr, isWrapped: false, span }
  }
}
