import type { StageTemplate } from './templates.ts'
import type { UnwrapConversion } from './units.ts'

/**
 * A comparison of a label with a string. The value of a missing label is the empty string. Patterns are RE2 and must
 * match the whole value.
 */
export interface LabelMatch {
  readonly label: string
  readonly op: '=' | '!=' | '=~' | '!~'
  readonly value: string
}

export type LineFilterOp = '|=' | '!=' | '|~' | '!~' | '|>' | '!>'

/** Keeps the lines that match one of the alternatives; with a negated operator, the lines that match none. */
export interface LineFilterStage {
  readonly kind: 'line-filter'
  readonly op: LineFilterOp
  readonly alternatives: readonly { readonly kind: 'text' | 'ip'; readonly value: string }[]
}

/** A label, and the path of its value in a JSON or logfmt line. */
export interface LabelPath {
  readonly label: string
  readonly path: string
}

/** Names of all labels that are read after a parser. The parser stops when it has found all of them. */
export type NeededLabels = readonly string[]

/** A stage that adds labels from the line: the labels in `extractions`, or all that the line contains. */
export type ParserStage =
  | { readonly kind: 'json'; readonly extractions: readonly LabelPath[]; readonly needed?: NeededLabels }
  | {
      readonly kind: 'logfmt'
      readonly isStrict: boolean
      readonly keepsEmpty: boolean
      readonly extractions: readonly LabelPath[]
      readonly needed?: NeededLabels
    }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'regexp'; readonly regexp: string }
  | { readonly kind: 'unpack' }

export type CompareOp = '==' | '!=' | '>' | '>=' | '<' | '<='

/** A condition on labels. `and` and `or` always evaluate both operands, because each may report an error. */
export type LabelCondition =
  | { readonly kind: 'and' | 'or'; readonly lhs: LabelCondition; readonly rhs: LabelCondition }
  | ({ readonly kind: 'text' } & LabelMatch)
  | { readonly kind: 'ip'; readonly label: string; readonly op: '=' | '!='; readonly value: string }
  /** Comparison with a number, a duration in ns, or a size in bytes. */
  | {
      readonly kind: 'number' | 'duration' | 'bytes'
      readonly label: string
      readonly op: CompareOp
      readonly value: number
    }

export interface LabelFilterStage {
  readonly kind: 'label-filter'
  readonly condition: LabelCondition
}

/** Source of a label's new value: a template, or another label, which is removed. */
export interface LabelAssignment {
  readonly label: string
  readonly from:
    | { readonly kind: 'label'; readonly value: string }
    | { readonly kind: 'template'; readonly template: StageTemplate }
}

/** A label name, with an optional condition on the label's value. */
export interface LabelChoice {
  readonly label: string
  readonly matcher: LabelMatch | undefined
}

/** One step of a LogQL pipeline, as plain data. Steps run in order on each entry. */
export type LogqlStage =
  | LineFilterStage
  | ParserStage
  | LabelFilterStage
  | { readonly kind: 'line-format'; readonly template: StageTemplate }
  | { readonly kind: 'label-format'; readonly parts: readonly LabelAssignment[] }
  | { readonly kind: 'decolorize' }
  | { readonly kind: 'drop' | 'keep'; readonly labels: readonly LabelChoice[] }

/** The label that contains the number of an entry, and the conditions after `unwrap`. */
export interface UnwrapStage {
  readonly label: string
  readonly conversion: UnwrapConversion | undefined
  readonly filters: readonly LabelFilterStage[]
}
