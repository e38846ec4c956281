import { span, type Span } from '../../../base/index.ts'
import type { TokenType } from '../../kit/index.ts'
import type * as ast from '../ast.ts'
import * as t from './tokens.ts'

/**
 * The upper grammar has several kinds of expressions that begin alike, with a parenthesis or a number. They are read by
 * the same rules, as parts of these kinds:
 */
export type Part = { readonly span: Span } & (
  | { readonly kind: 'spans'; readonly expr: ast.SpanExpr }
  /** Stages; without input those at the beginning of a query. */
  | { readonly kind: 'pipeline'; readonly input: ast.SpanExpr | undefined; readonly stages: readonly ast.Stage[] }
  /** A pipeline in parentheses, or an operation of such. */
  | { readonly kind: 'pipelines'; readonly expr: ast.SpanExpr }
  | ({ readonly kind: 'scalar' } & Scalar)
  /** A pipeline that ends in an aggregate without a comparison; in parentheses it is an operand. */
  | { readonly kind: 'scalar-pipeline'; readonly isWrapped: boolean }
  | { readonly kind: 'metric'; readonly expr: ast.MetricExpr; readonly isWrapped: boolean }
)

/** A number, an aggregate, or arithmetic of both. */
export interface Scalar {
  /** Set for an aggregate alone. */
  readonly aggregate: Pick<ast.AggregateStage, 'aggregate' | 'argument'> | undefined
  /** Set for a number or duration alone. */
  readonly literal: ast.Literal | undefined
  /** Set if it is made of numbers alone, so that it may be an operand of metrics. */
  readonly number: ast.MetricExpr | undefined
}

/**
 * Where a part stands, which says of what kinds it may be: `all` in a query and parentheses around all of it, `stage`
 * behind a pipe, the others behind an operator.
 */
export type Place =
  | 'all'
  | 'stage'
  | 'spans'
  | 'pipelines'
  | 'scalar'
  | 'scalar-pipelines'
  | 'compared'
  | 'metrics'
  | 'numbers'

/** Token types with which a number begins. */
export const numberStarts: readonly TokenType[] = [t.Integer, t.Float, t.Duration, t.Sub]
const SCALARS = [t.Count, t.Aggregate, ...numberStarts]
const SPANS = [t.LBrace, t.LParen]

/** Token types with which a part may begin, by its place. */
export const starts: Readonly<Record<Place, readonly TokenType[]>> = {
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

/** The place inside of parentheses, by the place of these. */
export const inside: Readonly<Record<Place, Place>> = {
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

const KINDS: Readonly<Record<Place, ReadonlySet<Part['kind']>>> = {
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

/** True if parentheses may hold such a part in a place. */
export function fits(place: Place, part: Part): boolean {
  return KINDS[place].has(part.kind)
}

/** Operators of arithmetic between metrics. */
const METRIC_OPERATORS = [t.Add, t.Sub, t.Mul, t.Div]

/** Operators that may follow a part in a place, with the place of what stands behind each. */
export function operatorsAfter(part: Part, place: Place): readonly (readonly [TokenType, Place])[] {
  switch (part.kind) {
    case 'spans':
      return [[t.SpanOperator, 'spans']]
    case 'pipelines':
      return [[t.SpanOperator, 'pipelines']]
    case 'scalar': {
      const isNumber = part.number !== undefined && (place === 'all' || place === 'numbers')
      const arithmetic = [t.ArithmeticOperator, isNumber ? 'numbers' : 'scalar'] as const
      return place === 'all' || place === 'stage' ? [arithmetic, [t.CompareOperator, 'scalar']] : [arithmetic]
    }
    case 'scalar-pipeline':
      if (!part.isWrapped) return []
      return [
        [t.ArithmeticOperator, 'scalar-pipelines'],
        [t.CompareOperator, 'compared'],
      ]
    case 'metric':
      return part.isWrapped ? METRIC_OPERATORS.map((type) => [type, 'metrics'] as const) : []
    case 'pipeline':
      return []
  }
}

/** True if a stage may follow a part that is read in a place. */
export function takesStage(part: Part, place: Place): boolean {
  return place === 'all' && (part.kind === 'spans' || part.kind === 'pipeline' || part.kind === 'metric')
}

/** Returns the spans that a part finds; `{}` for the input of a query that begins with a stage. */
export function spansOf(part: Part): ast.SpanExpr {
  switch (part.kind) {
    case 'spans':
    case 'pipelines':
      return part.expr
    case 'pipeline': {
      const { start } = part.span
      const input = part.input ?? { kind: 'filter', condition: undefined, span: span(start, start) }
      return { kind: 'pipeline', input, stages: part.stages, span: part.span }
    }
    default:
      return { kind: 'filter', condition: undefined, span: part.span }
  }
}
