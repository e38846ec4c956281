import type { StageTemplate } from './templates.ts'
import type { UnwrapConversion } from './units.ts'

/** How a label is compared with a text; a missing label is the empty text. Patterns are RE2 and match the whole value. */
export interface LabelMatch {
  readonly label: string
  readonly op: '=' | '!=' | '=~' | '!~'
  readonly value: string
}

export type LineFilterOp = '|=' | '!=' | '|~' | '!~' | '|>' | '!>'

/** Keeps lines that match some alternative, or none of them with a negative operator. */
export interface LineFilterStage {
  readonly kind: 'line-filter'
  readonly op: LineFilterOp
  readonly alternatives: readonly { readonly kind: 'text' | 'ip'; readonly value: string }[]
}

/** A label and the path of its value in the line. */
export interface LabelPath {
  readonly label: string
  readonly path: string
}

/** The only labels that are read behind a parser: it stops once it has found all of them. */
export type NeededLabels = readonly string[]

/** Stages that make labels of the line; without `extractions` of everything in it. */
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

/** A condition on labels. Both sides of `and` and `or` are always evaluated, because they may report errors. */
export type LabelCondition =
  | { readonly kind: 'and' | 'or'; readonly lhs: LabelCondition; readonly rhs: LabelCondition }
  | ({ readonly kind: 'text' } & LabelMatch)
  | { readonly kind: 'ip'; readonly label: string; readonly op: '=' | '!='; readonly value: string }
  /** The value of a duration is in ns, that of a size in bytes. */
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

/** Where the value of a label comes from: another label, which is removed, or a template. */
export interface FormatPart {
  readonly label: string
  readonly from:
    | { readonly kind: 'label'; readonly value: string }
    | { readonly kind: 'template'; readonly template: StageTemplate }
}

/** A label by its name, or only where its value matches. */
export interface LabelChoice {
  readonly label: string
  readonly matcher: LabelMatch | undefined
}

/** One step of a LogQL pipeline, as plain data. The steps run from left to right on one entry. */
export type LogqlStage =
  | LineFilterStage
  | ParserStage
  | LabelFilterStage
  | { readonly kind: 'line-format'; readonly template: StageTemplate }
  | { readonly kind: 'label-format'; readonly parts: readonly FormatPart[] }
  | { readonly kind: 'decolorize' }
  | { readonly kind: 'drop' | 'keep'; readonly labels: readonly LabelChoice[] }

/** The label whose value is the number of an entry, and the conditions behind it. */
export interface UnwrapStage {
  readonly label: string
  readonly conversion: UnwrapConversion | undefined
  readonly filters: readonly LabelFilterStage[]
}
