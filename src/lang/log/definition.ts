import type { Expr, LogicalPlan } from '../../plan/index.ts'
import type { FieldRef, Filter, FilterKind, FilterOf, PipeKind, PipeOf } from './ast.ts'
import type { FeatureDoc } from './feature-doc.ts'
import type { LowerContext } from './lower-context.ts'
import type { Printer } from './print/printer.ts'
import type { Rule, Syntax } from './syntax.ts'
import { keyword } from './tokens.ts'

export type { FeatureDoc, FeatureExample } from './feature-doc.ts'

/** Definition of one pipe: its names, grammar, printing, lowering to a plan, and documentation. */
export interface PipeDefinition<K extends PipeKind = PipeKind> {
  readonly kind: K
  /** Names of the pipe: the canonical name, then aliases. */
  readonly names: readonly string[]
  /** True if the pipe exists in the `native` dialect only. */
  readonly isNativeOnly?: boolean
  /** Registers and returns the grammar rule of the pipe; the rule begins with one of the names. */
  readonly rule: (syntax: Syntax) => Rule<[], PipeOf<K>>
  /** Prints the pipe as canonical text, name included. */
  readonly print: (pipe: PipeOf<K>, printer: Printer) => string
  readonly lower: (pipe: PipeOf<K>, input: LogicalPlan, context: LowerContext) => LogicalPlan
  readonly doc: FeatureDoc
}

/** Registers and returns the grammar rule of a filter. The rule's argument is the field before the filter, if any. */
export type FilterRule = (syntax: Syntax) => Rule<[field?: FieldArgument], Filter>

/** Definition of one filter: its names, grammar rules, printing, lowering to a predicate, and documentation. */
export interface FilterDefinition<K extends FilterKind = FilterKind> {
  readonly kind: K
  /** Function names with which the rule `call` begins, the canonical name first. Empty for filters without `call`. */
  readonly names: readonly string[]
  /** True if the names are function names in the `native` dialect only; `logsql` reads them as ordinary words. */
  readonly isNativeOnly?: boolean
  /** Rule for the form with a function name, used if `(` or `[` follows the name. */
  readonly call?: FilterRule
  /** Rule for the form that begins with an operator such as `=` or `~`. */
  readonly operator?: FilterRule
  /** Rule for filters that exist only on time and stream fields. */
  readonly own?: FilterRule
  /** Prints the filter as canonical text, field included. */
  readonly print: (filter: FilterOf<K>, printer: Printer) => string
  readonly lower: (filter: FilterOf<K>, context: LowerContext) => Expr
  readonly doc: FeatureDoc
}

export type FieldArgument = FieldRef | undefined

/** Definition of a pipe of any kind. Each function may only be called with a pipe of the definition's own kind. */
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
