import type { Span } from '../../base/index.ts'

/** A TraceQL query as plain readonly objects. Every node has its span in the text. Parentheses have no nodes. */
export type TraceqlExpr = TraceQuery | MetricsQuery

interface NodeBase {
  /** Position in the source text in UTF-16 units, end excluded. */
  readonly span: Span
}

/** `{ status = error } | count() > 2 with (most_recent=true)`: finds span sets in each trace. */
export interface TraceQuery extends NodeBase {
  readonly kind: 'trace-query'
  readonly spans: SpanExpr
  readonly hints: readonly Hint[]
}

/** A query that returns series: counts, rates or values of the spans that a pipeline finds. */
export interface MetricsQuery extends NodeBase {
  readonly kind: 'metrics-query'
  readonly metric: MetricExpr
  readonly hints: readonly Hint[]
}

/** `name=value` after `with`. Hints with unknown names are kept. */
export interface Hint extends NodeBase {
  readonly name: string
  readonly value: Literal
}

// Spans

export type SpanExpr = SpanFilter | SpanOperation | Pipeline

/** `{ condition }`. Without a condition it matches every span. */
export interface SpanFilter extends NodeBase {
  readonly kind: 'filter'
  readonly condition: FieldExpr | undefined
}

export type Relation = '>' | '>>' | '<' | '<<' | '~'

/**
 * How an operator uses a relation: `!` selects the spans that are not related; `&` selects the related spans of both
 * sides.
 */
export type SpanOp = '&&' | '||' | Relation | `!${Relation}` | `&${Relation}`

export interface SpanOperation extends NodeBase {
  readonly kind: 'operation'
  readonly op: SpanOp
  readonly lhs: SpanExpr
  readonly rhs: SpanExpr
}

/** `input | stage | …`. If a query starts with a stage, its input is `{}`. */
export interface Pipeline extends NodeBase {
  readonly kind: 'pipeline'
  readonly input: SpanExpr
  readonly stages: readonly Stage[]
}

export type Stage = FilterStage | AggregateStage | GroupStage | CoalesceStage | SelectStage

/** A filter, or an operation on filters, applied to the spans of the previous stage. */
export interface FilterStage extends NodeBase {
  readonly kind: 'filter-stage'
  readonly spans: SpanExpr
}

export type AggregateName = 'count' | 'avg' | 'max' | 'min' | 'sum'
export type CompareOp = '=' | '!=' | '<' | '<=' | '>' | '>='

/** `avg(duration) > 1s`: keeps the span sets whose aggregate satisfies the comparison. */
export interface AggregateStage extends NodeBase {
  readonly kind: 'aggregate'
  readonly aggregate: AggregateName
  /** Argument of the aggregate; `undefined` for `count()`. */
  readonly argument: FieldExpr | undefined
  readonly op: CompareOp
  /** Number or duration with which the aggregate is compared. */
  readonly value: Literal
}

export interface GroupStage extends NodeBase {
  readonly kind: 'by'
  readonly key: FieldExpr
}

export interface CoalesceStage extends NodeBase {
  readonly kind: 'coalesce'
}

export interface SelectStage extends NodeBase {
  readonly kind: 'select'
  readonly fields: readonly FieldRef[]
}

// Fields

export type FieldExpr = FieldRef | Literal | Unary | Binary

export type FieldRef = Attribute | Intrinsic

/** Scope of an attribute. `none` is the unscoped form `.x`: the attribute of the span, or else of its resource. */
export type AttributeScope = 'none' | 'span' | 'resource' | 'event' | 'link' | 'instrumentation'

export interface Attribute extends NodeBase {
  readonly kind: 'attribute'
  readonly scope: AttributeScope
  readonly name: string
}

/** Names of the intrinsics, as in answers. For example, `span:name` is `name`. */
export const intrinsics = [
  'name',
  'status',
  'statusMessage',
  'kind',
  'duration',
  'rootName',
  'rootServiceName',
  'traceDuration',
  'trace:id',
  'span:id',
  'span:parentID',
  'span:childCount',
  'nestedSetLeft',
  'nestedSetRight',
  'nestedSetParent',
  'event:name',
  'event:timeSinceStart',
  'link:traceID',
  'link:spanID',
  'instrumentation:name',
  'instrumentation:version',
] as const

export type IntrinsicName = (typeof intrinsics)[number]

export interface Intrinsic extends NodeBase {
  readonly kind: 'intrinsic'
  readonly name: IntrinsicName
}

export type StatusWord = 'error' | 'ok' | 'unset'
export type KindWord = 'unspecified' | 'internal' | 'server' | 'client' | 'producer' | 'consumer'

export type LiteralValue =
  | { readonly type: 'string'; readonly value: string }
  /** A 64-bit signed integer. */
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  /** A duration, ns. */
  | { readonly type: 'duration'; readonly value: bigint }
  | { readonly type: 'status'; readonly value: StatusWord }
  | { readonly type: 'kind'; readonly value: KindWord }
  | { readonly type: 'nil' }

export interface Literal extends NodeBase {
  readonly kind: 'literal'
  readonly literal: LiteralValue
}

/** `!condition` or `-number`. */
export interface Unary extends NodeBase {
  readonly kind: 'unary'
  readonly op: '!' | '-'
  readonly arg: FieldExpr
}

export type BinaryOp = '&&' | '||' | CompareOp | '=~' | '!~' | '+' | '-' | '*' | '/' | '%' | '^'

export interface Binary extends NodeBase {
  readonly kind: 'binary'
  readonly op: BinaryOp
  readonly lhs: FieldExpr
  readonly rhs: FieldExpr
}

// Metrics

export type MetricExpr = Metric | MetricArithmetic | MetricNumber

export type MetricFunction =
  | { readonly name: 'rate' | 'count_over_time' }
  | {
      readonly name: 'min_over_time' | 'max_over_time' | 'sum_over_time' | 'avg_over_time' | 'histogram_over_time'
      readonly field: FieldRef
    }
  | { readonly name: 'quantile_over_time'; readonly field: FieldRef; readonly quantiles: readonly number[] }
  | {
      readonly name: 'compare'
      readonly selection: SpanFilter
      /** Maximum number of values to list per attribute. */
      readonly top: number
      /** Time range of the selection, ns since 1970; `undefined` means the whole time range of the query. */
      readonly window: { readonly startNs: bigint; readonly endNs: bigint } | undefined
    }

/** A field to group by, and the name of its label: the field as written. */
export interface MetricKey {
  readonly field: FieldRef
  readonly label: string
}

export type SecondStage =
  | { readonly kind: 'topk' | 'bottomk'; readonly limit: number }
  | { readonly kind: 'compare'; readonly op: CompareOp; readonly value: number }

/** `pipeline | rate() by (name) | topk(5)`. */
export interface Metric extends NodeBase {
  readonly kind: 'metric'
  readonly spans: SpanExpr
  readonly fn: MetricFunction
  readonly by: readonly MetricKey[]
  readonly stages: readonly SecondStage[]
}

/** Arithmetic between two metrics, with the stages that follow its parentheses. */
export interface MetricArithmetic extends NodeBase {
  readonly kind: 'arithmetic'
  readonly op: '+' | '-' | '*' | '/'
  readonly lhs: MetricExpr
  readonly rhs: MetricExpr
  readonly stages: readonly SecondStage[]
}

export interface MetricNumber extends NodeBase {
  readonly kind: 'number'
  readonly value: number
}
