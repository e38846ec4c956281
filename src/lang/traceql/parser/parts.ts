import { span, type Span } from '../../../base/index.ts'
import type { TokenType } from '../../kit/index.ts'
import type * as ast from '../ast.ts'
import * as t from './tokens.ts'

/**
 * In the upper grammar several kinds of expressions start alike, with a parenthesis or a number. They are parsed by the
 * same rules, as fragments of these kinds:
 */
export type PipelineFragment = { readonly span: Span } & (
  | { readonly kind: 'spans'; readonly expr: ast.SpanExpr }
  /** Stages. Without `input` they are the start of a query. */
  | { readonly kind: 'pipeline'; readonly input: ast.SpanExpr | undefined; readonly stages: readonly ast.Stage[] }
  /** A pipeline in parentheses, or an operation on such pipelines. */
  | { readonly kind: 'pipelines'; readonly expr: ast.SpanExpr }
  | ({ readonly kind: 'scalar' } & Scalar)
  /** A pipeline that ends in an aggregate without a comparison. In parentheses it can be an operand. */
  | { readonly kind: 'scalar-pipeline'; readonly isWrapped: boolean }
  | { readonly kind: 'metric'; readonly expr: ast.MetricExpr; readonly isWrapped: boolean }
)

/** A number, an aggregate, or arithmetic on them. */
export interface Scalar {
  /** Set if the fragment is only an aggregate. */
  readonly aggregate: Pick<ast.AggregateStage, 'aggregate' | 'argument'> | undefined
  /** Set if the fragment is only a number or duration. */
  readonly literal: ast.Literal | undefined
  /** Set if the fragment consists only of numbers, so that it can be an operand of metrics. */
  readonly number: ast.MetricExpr | undefined
}

/**
 * The position of a fragment, which determines its allowed kinds. `all`: in the query, or in parentheses around all of it.
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

/** Token types that a number can start with. */
export const numberStarts: readonly TokenType[] = [t.Integer, t.Float, t.Duration, t.Sub]
const SCALARS = [t.Count, t.Aggregate, ...numberStarts]
const SPANS = [t.LBrace, t.LParen]

/** Token types that a fragment can start with, by its position. */
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

/** The position inside parentheses, by the position of the parentheses. */
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

/** True if parentheses at a position may contain such a fragment. */
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

/** Returns the span expression of a fragment; `{}` for the input of a query that starts with a stage. */
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
