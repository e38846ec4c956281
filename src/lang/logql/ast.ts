import type { Span } from '../../base/index.ts'
import type { LabelMatcher } from '../../plan/series/index.ts'

/** A LogQL query as plain readonly objects. Every node has its span in the text. Parentheses are not stored. */
export type LogqlExpr = LogQuery | MetricExpr

export type MetricExpr = NumberLiteral | VectorLiteral | LabelReplace | RangeAggregation | VectorAggregation | Binary

interface NodeBase {
  /** Position in the source text in UTF-16 units, end excluded. */
  readonly span: Span
}

/** `{app="x"} |= "error" | json`: entries of the streams that match all matchers, processed by the stages in order. */
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

/** `|= "a" or ip("10.0.0.0/8")`: one of the alternatives matches; with a negated operator, none does. */
export interface LineFilter extends NodeBase {
  readonly kind: 'line-filter'
  readonly op: LineFilterOp
  readonly alternatives: readonly { readonly kind: 'text' | 'ip'; readonly value: string }[]
}

/** `label="path"`. A `label` alone has its own name as path. */
export interface Extraction extends NodeBase {
  readonly label: string
  readonly path: string
}

export interface JsonStage extends NodeBase {
  readonly kind: 'json'
  /** Empty means all members of the object. */
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

/** A condition on labels. Both operands of `and` and `or` are evaluated, from left to right. */
export type LabelCondition = NodeBase &
  (
    | { readonly kind: 'and' | 'or'; readonly lhs: LabelCondition; readonly rhs: LabelCondition }
    | ({ readonly kind: 'text' } & LabelMatcher)
    | { readonly kind: 'ip'; readonly label: string; readonly op: '=' | '!='; readonly value: string }
    /** A duration is in ns, a size in bytes. */
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

/** `a=b` renames `b` to `a`; `a="…"` is a template. The parts are applied from left to right. */
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

/** A label name, optionally with a condition on its value. */
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

/** `unwrap duration(took)`: uses a label's value as a number: as it is, as seconds, or as bytes. */
export interface Unwrap extends NodeBase {
  readonly label: string
  readonly conversion: 'bytes' | 'duration' | 'duration_seconds' | undefined
  /** Conditions after `unwrap`. They can test whether the value could not be converted. */
  readonly filters: readonly LabelFilter[]
}

export interface RangeAggregation extends NodeBase {
  readonly kind: 'range-aggregation'
  /** Name in lower case, such as `count_over_time`. */
  readonly fn: string
  /** The number of `quantile_over_time`. */
  readonly param: number | undefined
  readonly logs: LogQuery
  readonly unwrap: Unwrap | undefined
  readonly rangeMs: number
  /** Duration in ns by which the window is moved back; forward if negative. */
  readonly offsetNs: bigint
  readonly grouping: Grouping | undefined
}

export interface VectorAggregation extends NodeBase {
  readonly kind: 'vector-aggregation'
  /** Name in lower case, such as `sum`. */
  readonly op: string
  /** The parameter k of `topk`, `bottomk` and `approx_topk`. */
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
  /** True with the modifier `bool`: a comparison returns 0 or 1 instead of filtering. */
  readonly isBool: boolean
  readonly matching:
    | {
        readonly isOn: boolean
        readonly labels: readonly string[]
        /**
         * The "many" side, of which several elements may match one element of the other side. `group_left` means
         * `left`.
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
