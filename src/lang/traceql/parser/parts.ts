import { span, type Span } from '../../../base/index.ts'
import type { TokenType } from '../../kit/index.ts'
import type * as ast from '../ast.ts'
import * as t from './tokens.ts'

/**
 * A fragment of a pipeline. Several kinds of expressions begin alike, with a parenthesis or a number, so the same rules
 * parse all kinds to fragments.
 */
export type PipelineFragment = { readonly span: Span } & (
  | { readonly kind: 'spans'; readonly expr: ast.SpanExpr }
  /** Stages. Without `input`, they are the start of a query. */
  | { readonly kind: 'pipeline'; readonly input: ast.SpanExpr | undefined; readonly stages: readonly ast.Stage[] }
  /** A pipeline in parentheses, or an operation on such pipelines. */
  | { readonly kind: 'pipelines'; readonly expr: ast.SpanExpr }
  | ({ readonly kind: 'scalar' } & Scalar)
  /** A pipeline that ends in an aggregate without a comparison. In parentheses, the pipeline can be an operand. */
  | { readonly kind: 'scalar-pipeline'; readonly isWrapped: boolean }
  | { readonly kind: 'metric'; readonly expr: ast.MetricExpr; readonly isWrapped: boolean }
)

/** A number, an aggregate, or arithmetic on numbers and aggregates. */
export interface Scalar {
  /** Set if the fragment is a single aggregate. */
  readonly aggregate: Pick<ast.AggregateStage, 'aggregate' | 'argument'> | undefined
  /** Set if the fragment is a single number or duration. */
  readonly literal: ast.Literal | undefined
  /** Set if the fragment consists of numbers only. Such a fragment may be an operand of metrics. */
  readonly number: ast.MetricExpr | undefined
}

/**
 * Position of a fragment, which decides the kinds allowed there. `all`: the whole query, or parentheses around it.
 * `stage`: after a pipe. The others: after an operator.
 */
export type StagePosition =
  | 'all'
  | 'stage'
  | 'spans'
  | 'pipelines'
  | 'scalar'
  | 'scalar-pipelines'
  | 'compared'
  | 'metrics'
  | 'numbers'

/** Token types with which a number may begin. */
export const numberStarts: readonly TokenType[] = [t.Integer, t.Float, t.Duration, t.Sub]
const SCALARS = [t.Count, t.Aggregate, ...numberStarts]
const SPANS = [t.LBrace, t.LParen]

/** Token types with which a fragment may begin, by its position. */
export const starts: Readonly<Record<StagePosition, readonly TokenType[]>> = {
  all: [...SPANS, ...SCALARS, t.By, t.Select],
  stage: [...SPANS, ...SCALARS],
  spans: SPANS,
  pipelines: [t.LParen],
  scalar: [t.LParen, ...SCALARS],
  'scalar-pipelines': [t.LParen],
  compared: [t.LParen, ...numberStarts],
  metrics: [t.LParen, ...numberStarts],
  numbers: [t.LParen, ...SCALARS],
}

/** Maps the position of parentheses to the position of their content. */
export const inside: Readonly<Record<StagePosition, StagePosition>> = {
  all: 'all',
  stage: 'stage',
  spans: 'spans',
  pipelines: 'all',
  scalar: 'scalar',
  'scalar-pipelines': 'all',
  compared: 'all',
  metrics: 'all',
  numbers: 'all',
}

const KINDS: Readonly<Record<StagePosition, ReadonlySet<PipelineFragment['kind']>>> = {
  all: new Set(['spans', 'pipeline', 'pipelines', 'scalar', 'scalar-pipeline', 'metric']),
  stage: new Set(['spans', 'scalar']),
  spans: new Set(['spans']),
  pipelines: new Set(['spans', 'pipeline', 'pipelines']),
  scalar: new Set(['scalar']),
  'scalar-pipelines': new Set(['scalar-pipeline']),
  compared: new Set(['scalar', 'scalar-pipeline']),
  metrics: new Set(['metric']),
  numbers: new Set(['scalar', 'metric']),
}

/** True if parentheses at a position may contain a fragment of this kind. */
export function fits(position: StagePosition, fragment: PipelineFragment): boolean {
  return KINDS[position].has(fragment.kind)
}

/** Operators of arithmetic between metrics. */
const METRIC_OPERATORS = [t.Add, t.Sub, t.Mul, t.Div]

/** Returns the operators that may follow a fragment at a position, each with the position of its right operand. */
export function operatorsAfter(
  fragment: PipelineFragment,
  position: StagePosition,
): readonly (readonly [TokenType, StagePosition])[] {
  switch (fragment.kind) {
    case 'spans':
      return [[t.SpanOperator, 'spans']]
    case 'pipelines':
      return [[t.SpanOperator, 'pipelines']]
    case 'scalar': {
      const isNumber = fragment.number !== undefined && (position === 'all' || position === 'numbers')
      const arithmetic = [t.ArithmeticOperator, isNumber ? 'numbers' : 'scalar'] as const
      return position === 'all' || position === 'stage' ? [arithmetic, [t.CompareOperator, 'scalar']] : [arithmetic]
    }
    case 'scalar-pipeline':
      if (!fragment.isWrapped) return []
      return [
        [t.ArithmeticOperator, 'scalar-pipelines'],
        [t.CompareOperator, 'compared'],
      ]
    case 'metric':
      return fragment.isWrapped ? METRIC_OPERATORS.map((type) => [type, 'metrics'] as const) : []
    case 'pipeline':
      return []
  }
}

/** True if a stage may follow a fragment at a position. */
export function takesStage(fragment: PipelineFragment, position: StagePosition): boolean {
  return position === 'all' && (fragment.kind === 'spans' || fragment.kind === 'pipeline' || fragment.kind === 'metric')
}

/** Returns the span expression of a fragment. If a query starts with a stage, the input of that stage is `{}`. */
export function spansOf(fragment: PipelineFragment): ast.SpanExpr {
  switch (fragment.kind) {
    case 'spans':
    case 'pipelines':
      return fragment.expr
    case 'pipeline': {
      const { start } = fragment.span
      const input = fragment.input ?? { kind: 'filter', condition: undefined, span: span(start, start) }
      return { kind: 'pipeline', input, stages: fragment.stages, span: fragment.span }
    }
    default:
      return { kind: 'filter', condition: undefined, span: fragment.span }
  }
}
