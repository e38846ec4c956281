import { OperatorChain, type Rule, type TokenType } from '../../kit/index.ts'
import type * as ast from '../ast.ts'
import { checkAggregate, checkFilter } from '../check.ts'
import { traceqlDiagnostic } from '../diagnostics.ts'
import { foldUnary } from '../fold.ts'
import { comparesScalars, joinFragments, kindOfChain, scalarPart, wrapFragment } from './combine.ts'
import { FieldSyntax } from './fields.ts'
import { durationOf, floatOf, intOf, numberOf } from './literals.ts'
import {
  fits,
  inside,
  numberStarts,
  operatorsAfter,
  starts,
  takesStage,
  type PipelineFragment,
  type StagePosition,
  type Scalar,
} from './parts.ts'
import { partPrecedences } from './precedence.ts'
import * as t from './tokens.ts'

type PartChain = OperatorChain<PipelineFragment>

/** The middle part of the grammar: filters, aggregates and numbers, and operations on them. */
export abstract class SpanSyntax extends FieldSyntax {
  /**
   * Rule for the content of a query or of parentheses. This class parses the fragments, and the subclass parses the
   * stages.
   */
  abstract readonly content: Rule<[StagePosition], PipelineFragment>

  readonly filter: Rule<[], ast.SpanFilter> = this.RULE('filter', () => {
    const open = this.consume(t.LBrace)
    const condition = this.or<ast.FieldExpr | undefined>(0, [
      {
        ALT: () => {
          this.consume(t.RBrace)
          return undefined
        },
      },
      {
        ALT: () => {
          const read = this.attempt<ast.FieldExpr | undefined>(
            () => this.subrule(this.fieldExpression, t.RBrace),
            () => undefined,
          )
          this.consume(t.RBrace)
          return read
        },
      },
    ])
    return this.ACTION(() => {
      const node: ast.SpanFilter = { kind: 'filter', condition, span: this.spanFrom(open.startOffset) }
      checkFilter(node, this.session)
      return node
    })
  })

  /** Rule for operands of one kind with operators between them. */
  readonly operation: Rule<[StagePosition], PipelineFragment> = this.RULE('operation', (position) => {
    const chain = this.ACTION(() => this.#startChain())
    let state = this.subrule(this.operand, position)
    this.ACTION(() => chain.operand(state))
    let where = position
    this.many(0, {
      GATE: () => this.#positionAfter(state, where) !== undefined,
      DEF: () => {
        const after = this.ACTION(() => this.#positionAfter(state, where))
        const op = this.consume(t.PartOperator)
        this.ACTION(() => {
          this.countOperator(op)
          chain.binary({ text: op.image, span: this.tokenSpan(op) }, undefined)
        })
        const operand = this.subrule(this.operand, after ?? position)
        this.ACTION(() => {
          chain.operand(operand)
          if (comparesScalars(op.image, state)) where = 'scalar'
          state = kindOfChain(state, operand)
        })
      },
    })
    return this.ACTION(() => chain.finish() ?? state)
  })

  /**
   * Returns the position of the right operand if the next token is an operator that may follow a fragment; otherwise
   * `undefined`.
   */
  #positionAfter(part: PipelineFragment, position: StagePosition): StagePosition | undefined {
    return operatorsAfter(part, position).find(([type]) => this.isNext(type))?.[1]
  }

  readonly operand: Rule<[StagePosition], PipelineFragment> = this.RULE('operand', (position): PipelineFragment => {
    this.ACTION(() => this.expectNext(starts[position]))
    return this.or<PipelineFragment>(0, [
      {
        ALT: () => {
          const expr = this.subrule(this.filter)
          return this.ACTION(() => ({ kind: 'spans', expr, span: expr.span }))
        },
      },
      { ALT: () => this.subrule(this.group, position) },
      { ALT: () => this.subrule(this.aggregate) },
      { ALT: () => this.subrule(this.number, position) },
    ])
  })

  readonly group: Rule<[StagePosition], PipelineFragment> = this.RULE('group', (position) => {
    const open = this.consume(t.LParen)
    const inner = this.nested(() =>
      this.subrule(
        this.content,
        this.ACTION(() => inside[position]),
      ),
    )
    this.ACTION(() => {
      const [accepted, listed] = this.closing(inner, position)
      this.expectListing(fits(position, inner) ? accepted : [], listed)
    })
    this.consume(t.RParen)
    return this.ACTION(() => wrapFragment(inner, position, this.spanFrom(open.startOffset)))
  })

  /**
   * Returns the token types that may follow a fragment in parentheses, and those among them that Tempo's message lists.
   */
  protected closing(
    part: PipelineFragment,
    position: StagePosition,
  ): readonly [accepted: readonly TokenType[], listed: readonly TokenType[]] {
    const content = inside[position]
    const types: TokenType[] = operatorsAfter(part, content).map(([type]) => type)
    if (takesStage(part, content)) types.push(t.Pipe, ...(part.kind === 'metric' ? [t.CompareOperator] : []))
    if (part.kind === 'scalar-pipeline' && !part.isWrapped) types.push(t.ArithmeticOperator, t.CompareOperator)
    const accepted = [...types, t.RParen]
    if (content !== 'all') return [accepted, accepted]
    if (part.kind === 'spans' || part.kind === 'pipeline') return [accepted, [t.RParen, t.Pipe]]
    return [accepted, part.kind === 'metric' && !part.isWrapped ? [t.RParen] : accepted]
  }

  readonly aggregate: Rule<[], PipelineFragment> = this.RULE('aggregate', (): PipelineFragment => {
    const start = this.startOffset()
    const aggregate = this.or<Scalar['aggregate']>(0, [
      {
        ALT: () => {
          this.consume(t.Count)
          this.consume(t.LParen)
          this.consume(t.RParen)
          return { aggregate: 'count', argument: undefined }
        },
      },
      {
        ALT: () => {
          const word = this.consume(t.Aggregate)
          this.consume(t.LParen)
          const argument = this.nested(() => this.subrule(this.fieldExpression, t.RParen))
          this.consume(t.RParen)
          return this.ACTION(() => ({ aggregate: word.image as ast.AggregateName, argument }))
        },
      },
    ])
    return this.ACTION(() => {
      const where = this.spanFrom(start)
      if (aggregate !== undefined) checkAggregate({ ...aggregate, span: where }, this.session)
      return scalarPart(where, { aggregate })
    })
  })

  /** Rule for a number or a duration. A duration must not be combined with metrics. */
  readonly number: Rule<[StagePosition], PipelineFragment> = this.RULE('number', (position): PipelineFragment => {
    const literal = this.subrule(this.signedNumber)
    return this.ACTION(() => {
      const { literal: value, span: where } = literal
      if (value.type === 'duration') {
        if (position === 'metrics') this.fail(traceqlDiagnostic('duration-operand', { losesLine: true }, where))
        return scalarPart(where, { literal })
      }
      return scalarPart(where, { literal, number: { kind: 'number', value: numberOf(literal), span: where } })
    })
  })

  readonly signedNumber: Rule<[], ast.Literal> = this.RULE('signedNumber', () => {
    const start = this.startOffset()
    this.expectNext(numberStarts)
    const sign = this.option(0, () => this.consume(t.Sub))
    const value = this.or<ast.LiteralValue>(0, [
      { ALT: () => this.constant(this.consume(t.Integer), intOf) },
      { ALT: () => this.constant(this.consume(t.Float), floatOf) },
      { ALT: () => this.constant(this.consume(t.Duration), durationOf) },
    ])
    return this.ACTION(() => {
      const literal = sign === undefined ? value : (foldUnary('-', value) ?? value)
      return { kind: 'literal', literal, span: this.spanFrom(start) }
    })
  })

  #startChain(): PartChain {
    return new OperatorChain<PipelineFragment>(partPrecedences, {
      unary: (_, operand) => operand,
      binary: (op, _, lhs, rhs) => joinFragments(op, lhs, rhs, this.session),
    })
  }
}
