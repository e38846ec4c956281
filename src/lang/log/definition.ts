import type { Expr, LogicalPlan } from '../../plan/index.ts'
import type { FieldRef, Filter, FilterKind, FilterOf, PipeKind, PipeOf } from './ast.ts'
import type { FeatureDoc } from './feature-doc.ts'
import type { LowerContext } from './lower-context.ts'
import type { Printer } from './print/printer.ts'
import type { Rule, Syntax } from './syntax.ts'
import { keyword } from './tokens.ts'

export type { FeatureDoc, FeatureExample } from './feature-doc.ts'

/** Everything about one pipe. */
export interface PipeDefinition<K extends PipeKind = PipeKind> {
  readonly kind: K
  /** The canonical name first, then aliases. */
  readonly names: readonly string[]
  /** True if the other dialect does not have it. */
  readonly isNativeOnly?: boolean
  /** Registers the grammar rule, which begins with one of the names. */
  readonly rule: (syntax: Syntax) => Rule<[], PipeOf<K>>
  /** The canonical text, name included. */
  readonly print: (pipe: PipeOf<K>, printer: Printer) => string
  readonly lower: (pipe: PipeOf<K>, input: LogicalPlan, context: LowerContext) => LogicalPlan
  readonly doc: FeatureDoc
}

/** Registers a grammar rule; its argument is the field before the filter, if any. */
export type FilterRule = (syntax: Syntax) => Rule<[field?: FieldArgument], Filter>

/** Everything about one filter form. */
export interface FilterDefinition<K extends FilterKind = FilterKind> {
  readonly kind: K
  /** Function names of `call`, canonical one first; empty for others. */
  readonly names: readonly string[]
  /** True if its names are words in the other dialect. */
  readonly isNativeOnly?: boolean
  /** Rule that begins with one of the names; used if `(` or `[` follows. */
  readonly call?: FilterRule
  /** Rule that begins with a mark such as `=` or `~`. */
  readonly operator?: FilterRule
  /** Rule for the fields of time and streams. */
  readonly own?: FilterRule
  /** The canonical text, field included. */
  readonly print: (filter: FilterOf<K>, printer: Printer) => string
  readonly lower: (filter: FilterOf<K>, context: LowerContext) => Expr
  readonly doc: FeatureDoc
}

export type FieldArgument = FieldRef | undefined

/** A definition of unknown kind; each function only receives its own kind. */
export type AnyPipeDefinition = { readonly [K in PipeKind]: PipeDefinition<K> }[PipeKind]
export type AnyFilterDefinition = { readonly [K in FilterKind]: FilterDefinition<K> }[FilterKind]

export function definePipe<K extends PipeKind>(definition: PipeDefinition<K>): PipeDefinition<K> {
  definition.names.forEach(keyword)
  return definition
}

export function defineFilter<K extends FilterKind>(definition: FilterDefinition<K>): FilterDefinition<K> {
  definition.names.forEach(keyword)
  return definition
}
