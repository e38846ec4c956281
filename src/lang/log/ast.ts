import type { Span } from '../../base/index.ts'
import type { BoundParameter } from './bound-parameter.ts'

/**
 * The unions of filters and pipes are closed by declaration merging: each file under `filters/` and `pipes/` adds its
 * interface to one of these two. A filter may hold any filter and a pipe any query, so a union that imported those
 * files would be imported by all of them.
 */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface FilterKinds {}
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface PipeKinds {}

export type FilterKind = keyof FilterKinds
export type Filter = FilterKinds[FilterKind]
export type FilterOf<K extends FilterKind> = FilterKinds[K]
export type PipeKind = keyof PipeKinds
export type Pipe = PipeKinds[PipeKind]
export type PipeOf<K extends PipeKind> = PipeKinds[K]

/** A field as written: literal parts with unquoted stars between. One part is a plain name. */
export interface FieldRef {
  readonly parts: readonly string[]
  readonly span: Span
  /** Parameter, if a literal stands in a list of fields. */
  readonly parameter?: BoundParameter | undefined
}

export function plainField(field: FieldRef): string | undefined {
  return field.parts.length === 1 ? field.parts[0] : undefined
}

/** A word, a number or a quoted string as a plain value. */
export interface TextValue {
  readonly text: string
  readonly isQuoted: boolean
  readonly span: Span
  /** Parameter of this value. */
  readonly parameter?: BoundParameter | undefined
}

/** A value with or without stars: literal parts with unquoted stars between. */
export interface PatternValue {
  readonly parts: readonly string[]
  /** True for a single quoted token. */
  readonly isQuoted: boolean
  readonly span: Span
  /** Parameter that is part of the value. */
  readonly parameter?: BoundParameter | undefined
}

/** Members of all filters on values. Without `field` it is the text field. */
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

/** Adjacent operands of one level, or operands joined by `AND` if `isExplicit`. */
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

/** `( … )`; filters inside already have the field of `field:( … )`. */
export interface GroupFilter {
  readonly kind: 'group'
  readonly arg: Filter
  readonly field: undefined
  readonly span: Span
}

/** Placeholder for a filter that could not be parsed. */
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

/** One entry of `options( … )`. */
export interface QueryOption {
  readonly name: string
  readonly value: TextValue | undefined
  /** For `global_filter` only. */
  readonly filter: Filter | undefined
  readonly span: Span
}

export interface Query {
  readonly options: readonly QueryOption[]
  /** Missing if the text begins with a pipe. */
  readonly filter: Filter | undefined
  readonly pipes: readonly Pipe[]
  /** True if a part could not be parsed. */
  readonly isIncomplete: boolean
  readonly span: Span
}

/** A member of a row as written; an unquoted value may be a number, `true`, `false` or `null`. */
export interface RowMember {
  readonly name: string
  readonly text: string
  readonly isQuoted: boolean
}

/** A second input: a query, or literal rows. */
export type Source =
  | { readonly kind: 'query'; readonly query: Query; readonly span: Span }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly RowMember[])[]; readonly span: Span }
