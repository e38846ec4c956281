import type { Span } from '../../base/index.ts'
import type { BoundParameter } from './bound-parameter.ts'

/**
 * Map from kind to filter interface. Each file under `filters/` adds its interface by declaration merging, and each
 * file under `pipes/` adds to `PipeKinds`. Filters and pipes contain each other, so a union that imported these files
 * would create import cycles.
 */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface FilterKinds {}
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface PipeKinds {}

export type FilterKind = keyof FilterKinds
/** A filter of the syntax tree, a union by `kind`. */
export type Filter = FilterKinds[FilterKind]
export type FilterOf<K extends FilterKind> = FilterKinds[K]
export type PipeKind = keyof PipeKinds
/** A pipe of the syntax tree, a union by `kind`. */
export type Pipe = PipeKinds[PipeKind]
export type PipeOf<K extends PipeKind> = PipeKinds[K]

/** A field name as written, split at its unquoted stars into literal parts. A name without stars has one part. */
export interface FieldRef {
  readonly parts: readonly string[]
  readonly span: Span
  /** Parameter that stands in place of the field; only in lists of fields that may contain a literal. */
  readonly parameter?: BoundParameter | undefined
}

export function plainField(field: FieldRef): string | undefined {
  return field.parts.length === 1 ? field.parts[0] : undefined
}

/** A plain value: a word, a number or a quoted string. */
export interface TextValue {
  readonly text: string
  readonly isQuoted: boolean
  readonly span: Span
  /** Parameter that supplied this value. */
  readonly parameter?: BoundParameter | undefined
}

/** A value that may contain stars, split at its unquoted stars into literal parts. */
export interface PatternValue {
  readonly parts: readonly string[]
  /** True if the value is one quoted string. */
  readonly isQuoted: boolean
  readonly span: Span
  /** Parameter that supplied this value or a part of it. */
  readonly parameter?: BoundParameter | undefined
}

/** Members of all filters on values. Without `field`, the filter applies to the main text field. */
export interface OnField {
  readonly field: FieldRef | undefined
  readonly span: Span
}

/** `a or b`. */
export interface OrFilter {
  readonly kind: 'or'
  readonly args: readonly Filter[]
  readonly field: undefined
  readonly span: Span
}

/** Conjunction of filters on one level: joined by the word `AND` if `isExplicit`, else written side by side. */
export interface AndFilter {
  readonly kind: 'and'
  readonly args: readonly Filter[]
  readonly isExplicit: boolean
  readonly field: undefined
  readonly span: Span
}

export interface NotFilter {
  readonly kind: 'not'
  readonly arg: Filter
  readonly field: undefined
  readonly span: Span
}

/** A filter in parentheses. In `field:( … )`, each filter inside has that field already. */
export interface GroupFilter {
  readonly kind: 'group'
  readonly arg: Filter
  readonly field: undefined
  readonly span: Span
}

/** Replaces a filter that could not be parsed. */
export interface BrokenFilter {
  readonly kind: 'broken'
  readonly field: undefined
  readonly span: Span
}

export interface BrokenPipe {
  readonly kind: 'broken'
  readonly span: Span
}

declare module './ast.ts' {
  interface FilterKinds {
    or: OrFilter
    and: AndFilter
    not: NotFilter
    group: GroupFilter
    broken: BrokenFilter
  }
  interface PipeKinds {
    broken: BrokenPipe
  }
}

/** One entry of `options( … )` at the start of a query. */
export interface QueryOption {
  readonly name: string
  readonly value: TextValue | undefined
  /** Filter that is the value of `global_filter`; `undefined` for other options. */
  readonly filter: Filter | undefined
  readonly span: Span
}

/** The syntax tree of a query: its filter, then its pipes. */
export interface Query {
  readonly options: readonly QueryOption[]
  /** Filter of the query; `undefined` if the text begins with a pipe. */
  readonly filter: Filter | undefined
  readonly pipes: readonly Pipe[]
  /** True if a part could not be parsed. */
  readonly isIncomplete: boolean
  readonly span: Span
}

/**
 * One `name: value` member of a literal row, as written. An unquoted value may be a number, `true`, `false` or `null`.
 */
export interface RowMember {
  readonly name: string
  readonly text: string
  readonly isQuoted: boolean
}

/** Second input of a pipe such as `join`: a query, or literal rows. */
export type Source =
  | { readonly kind: 'query'; readonly query: Query; readonly span: Span }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly RowMember[])[]; readonly span: Span }
