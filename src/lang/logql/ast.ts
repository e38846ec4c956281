import type { Span } from '../../base/index.ts'
import type { LabelMatcher } from '../../plan/series/index.ts'

/** A LogQL query as plain readonly objects. Every node has its span in the text. Parentheses have no nodes. */
export type LogqlExpr = LogQuery | MetricExpr

export type MetricExpr = NumberLiteral | VectorLiteral | LabelReplace | RangeAggregation | VectorAggregation | Binary

interface NodeBase {
  /** Position in the source text in UTF-16 units, end excluded. */
  readonly span: Span
}

/**
 * `{app="x"} |= "error" | json`: the entries of streams that satisfy all matchers, processed by the stages in order.
 */
export interface LogQuery extends NodeBase {
  readonly kind: 'log-query'
  readonly matchers: readonly LabelMatcher[]
  readonly stages: readonly Stage[]
}

export type Stage =
  | LineFilter
  | ParserStage
  | LabelFilter
  | LineFormat
  | LabelFormat
  | Decolorize
  | DropLabels
  | KeepLabels

export type ParserStage = JsonStage | LogfmtStage | PatternStage | RegexpStage | UnpackStage

export type LineFilterOp = '|=' | '!=' | '|~' | '!~' | '|>' | '!>'

/**
 * `|= "a" or ip("10.0.0.0/8")`: keeps lines that match one of the alternatives; with a negated operator, lines that
 * match none.
 */
export interface LineFilter extends NodeBase {
  readonly kind: 'line-filter'
  readonly op: LineFilterOp
  readonly alternatives: readonly { readonly kind: 'text' | 'ip'; readonly value: string }[]
}

/** `label="path"`. For `label` alone, the path is the label's name. */
export interface Extraction extends NodeBase {
  readonly label: string
  readonly path: string
}

export interface JsonStage extends NodeBase {
  readonly kind: 'json'
  /** Labels to extract. Empty: all members of the object. */
  readonly extractions: readonly Extraction[]
}

export interface LogfmtStage extends NodeBase {
  readonly kind: 'logfmt'
  readonly isStrict: boolean
  readonly keepsEmpty: boolean
  readonly extractions: readonly Extraction[]
}

export interface PatternStage extends NodeBase {
  readonly kind: 'pattern'
  readonly pattern: string
}

export interface RegexpStage extends NodeBase {
  readonly kind: 'regexp'
  readonly regexp: string
}

export interface UnpackStage extends NodeBase {
  readonly kind: 'unpack'
}

export interface LabelFilter extends NodeBase {
  readonly kind: 'label-filter'
  readonly condition: LabelCondition
}

export type CompareOp = '==' | '!=' | '>' | '>=' | '<' | '<='

/** A condition on labels. `and` and `or` evaluate both operands, from left to right. */
export type LabelCondition = NodeBase &
  (
    | { readonly kind: 'and' | 'or'; readonly lhs: LabelCondition; readonly rhs: LabelCondition }
    | ({ readonly kind: 'text' } & LabelMatcher)
    | { readonly kind: 'ip'; readonly label: string; readonly op: '=' | '!='; readonly value: string }
    /** Comparison with a number, a duration in ns, or a size in bytes. */
    | {
        readonly kind: 'number' | 'duration' | 'bytes'
        readonly label: string
        readonly op: CompareOp
        readonly value: number
      }
  )

export interface LineFormat extends NodeBase {
  readonly kind: 'line-format'
  readonly template: string
}

/** `a=b` renames label `b` to `a`; `a="…"` sets label `a` by a template. The parts are applied from left to right. */
export interface LabelFormat extends NodeBase {
  readonly kind: 'label-format'
  readonly parts: readonly (NodeBase & {
    readonly label: string
    readonly from: { readonly kind: 'label' | 'template'; readonly value: string }
  })[]
}

export interface Decolorize extends NodeBase {
  readonly kind: 'decolorize'
}

/** A label name, with an optional condition on the label's value. */
export interface LabelChoice {
  readonly label: string
  readonly matcher: LabelMatcher | undefined
}

export interface DropLabels extends NodeBase {
  readonly kind: 'drop'
  readonly labels: readonly LabelChoice[]
}

export interface KeepLabels extends NodeBase {
  readonly kind: 'keep'
  readonly labels: readonly LabelChoice[]
}

export interface Grouping {
  readonly labels: readonly string[]
  readonly isWithout: boolean
}

/**
 * `unwrap duration(took)`: converts a label's value to a number. `conversion` says how: as a number, as seconds, or as
 * bytes.
 */
export interface Unwrap extends NodeBase {
  readonly label: string
  readonly conversion: 'bytes' | 'duration' | 'duration_seconds' | undefined
  /** Conditions after `unwrap`. They may test whether the conversion failed. */
  readonly filters: readonly LabelFilter[]
}

export interface RangeAggregation extends NodeBase {
  readonly kind: 'range-aggregation'
  /** Name of the function in lower case, such as `count_over_time`. */
  readonly fn: string
  /** The quantile of `quantile_over_time`; `undefined` for other functions. */
  readonly param: number | undefined
  readonly logs: LogQuery
  readonly unwrap: Unwrap | undefined
  readonly rangeMs: number
  /** Duration by which the window is moved into the past, ns; negative moves it into the future. */
  readonly offsetNs: bigint
  readonly grouping: Grouping | undefined
}

export interface VectorAggregation extends NodeBase {
  readonly kind: 'vector-aggregation'
  /** Name of the aggregation in lower case, such as `sum`. */
  readonly op: string
  /** The k of `topk`, `bottomk` and `approx_topk`; `undefined` for other aggregations. */
  readonly param: number | undefined
  readonly grouping: Grouping | undefined
  readonly expr: MetricExpr
}

export type LogqlBinaryOp =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '^'
  | '=='
  | '!='
  | '>'
  | '>='
  | '<'
  | '<='
  | 'and'
  | 'or'
  | 'unless'

export interface Binary extends NodeBase {
  readonly kind: 'binary'
  readonly op: LogqlBinaryOp
  readonly lhs: MetricExpr
  readonly rhs: MetricExpr
  /** True if the modifier `bool` is given: the comparison then returns 0 or 1 instead of filtering. */
  readonly isBool: boolean
  readonly matching:
    | {
        readonly isOn: boolean
        readonly labels: readonly string[]
        /**
         * The "many" side of the match: several of its elements may match one element of the other side. `group_left`
         * means `left`.
         */
        readonly many: 'left' | 'right' | undefined
        readonly include: readonly string[]
      }
    | undefined
}

export interface NumberLiteral extends NodeBase {
  readonly kind: 'number'
  readonly value: number
}

/** `vector(1)`: one element without labels. */
export interface VectorLiteral extends NodeBase {
  readonly kind: 'vector'
  readonly value: number
}

export interface LabelReplace extends NodeBase {
  readonly kind: 'label-replace'
  readonly expr: MetricExpr
  readonly target: string
  readonly replacement: string
  readonly source: string
  readonly regexp: string
}
