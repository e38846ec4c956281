import type { Dialect } from '../../../plan/index.ts'
import type { FieldRef, Filter, Query } from '../ast.ts'

/** Helpers for printing pipes and filters. Everything they print parses to the same meaning. */
export interface Printer {
  readonly dialect: Dialect
  /** A word unquoted, or quoted if it could be parsed as something else. */
  readonly text: (text: string) => string
  /** Like `text`, but a number, size, duration, date or address needs no quotes for its dots and colons. */
  readonly number: (text: string) => string
  /** Literal parts with stars between. */
  readonly pattern: (parts: readonly string[]) => string
  readonly field: (field: FieldRef) => string
  /** `a, b*, c` */
  readonly fields: (fields: readonly FieldRef[]) => string
  /** `field:`; empty for the text field. */
  readonly prefix: (field: FieldRef | undefined) => string
  /** A simplified boolean expression without surrounding parentheses. */
  readonly filter: (filter: Filter) => string
  /** A part of such an expression, unchanged. */
  readonly node: (filter: Filter) => string
  /** ` if (…)`; empty without a filter. */
  readonly condition: (filter: Filter | undefined) => string
  readonly query: (query: Query) => string
  /** Like `query`, for one in parentheses: its table comes first, after `from`. */
  readonly subquery: (query: Query) => string
  /** ` as name`; empty without a field. */
  readonly as: (field: FieldRef | undefined) => string
  /** True if this is the text field under its name in this dialect. */
  readonly isTextField: (field: FieldRef | undefined) => boolean
}
