import type { Span } from '../../base/index.ts'
import type { LabelMatcher } from '../../plan/series/index.ts'

/** A LogQL query, as plain readonly objects. Every node has its span in the source text. Parentheses are not kept. */
export type LogqlExpr = LogQuery | MetricExpr

export type MetricExpr = NumberLiteral | VectorLiteral | LabelReplace | RangeAggregation | VectorAggregation | Binary

interface NodeBase {
  /** Position in the source text, UTF-16 offsets, end excluded. */
  readonly span: Span
}

/** `{app="x"} |= "error" | json`: entries of the streams that match all matchers, run through the stages in order. */
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

/** `|= "a" or ip("10.0.0.0/8")`: some alternative matches, or none does with a negative operator. */
export interface LineFilter extends NodeBase {
  readonly kind: 'line-filter'
  readonly op: LineFilterOp
  readonly alternatives: readonly { readonly kind: 'text' | 'ip'; readonly value: string }[]
}

/** `label="path"`; a bare `label` has its own name as the path. */
export interface Extraction extends NodeBase {
  readonly label: string
  readonly path: string
}

export interface JsonStage extends NodeBase {
  readonly kind: 'json'
  /** Empty for all members of the object. */
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

/** Both sides of `and` and `or` are always evaluated, from left to right. */
export type LabelCondition = NodeBase &
  (
    | { readonly kind: 'and' | 'or'; readonly lhs: LabelCondition; readonly rhs: LabelCondition }
    | ({ readonly kind: 'text' } & LabelMatcher)
    | { readonly kind: 'ip'; readonly label: string; readonly op: '=' | '!='; readonly value: string }
    /** The value of a duration is in ns, that of a size in bytes. */
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

/** `a=b` renames `b` to `a`; `a="…"` is a template. The parts run from left to right. */
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

/** A label by its name, or only where its value matches. */
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

/** `unwrap duration(took)`: the value of a label as a number: as it is, as seconds, or as bytes. */
export interface Unwrap extends NodeBase {
  readonly label: string
  readonly conversion: 'bytes' | 'duration' | 'duration_seconds' | undefined
  /** Conditions behind it, which see what could not be read. */
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
  /** Moves the window back; a negative one moves it forward. */
  readonly offsetNs: bigint
  readonly grouping: Grouping | undefined
}

export interface VectorAggregation extends NodeBase {
  readonly kind: 'vector-aggregation'
  /** Name in lower case, such as `sum`. */
  readonly op: string
  /** The k of `topk`, `bottomk` and `approx_topk`. */
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
  /** True with the modifier `bool`: a comparison gives 0 or 1 instead of filtering. */
  readonly isBool: boolean
  readonly matching:
    | {
        readonly isOn: boolean
        readonly labels: readonly string[]
        /** The side whose elements may share a partner: `group_left` is `left`. */
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
