import type { Dialect } from '../../../plan/index.ts'
import type { FieldRef, Filter, Query } from '../ast.ts'

/** What the printing functions of pipes and filters may use. Everything it gives reads back to the same meaning. */
export interface Printer {
  readonly dialect: Dialect
  /** A word as it is, or in quotes when it could be read as something else. */
  readonly text: (text: string) => string
  /** As `text`, but a number, size, duration, date or address needs no quotes for its dots and colons. */
  readonly number: (text: string) => string
  /** Literal parts with stars between. */
  readonly pattern: (parts: readonly string[]) => string
  readonly field: (field: FieldRef) => string
  /** `a, b*, c` */
  readonly fields: (fields: readonly FieldRef[]) => string
  /** `field:`, or nothing for the text field. */
  readonly prefix: (field: FieldRef | undefined) => string
  /** A boolean expression without parentheses around it, rewritten. */
  readonly filter: (filter: Filter) => string
  /** A part of such an expression, as it is. */
  readonly node: (filter: Filter) => string
  /** ` if (…)`, or nothing. */
  readonly condition: (filter: Filter | undefined) => string
  readonly query: (query: Query) => string
  /** As `query`, for one in parentheses: its table stands in front, behind `from`. */
  readonly subquery: (query: Query) => string
  /** ` as name`, or nothing. */
  readonly as: (field: FieldRef | undefined) => string
  /** Whether this is the field that bare words search, under the name it has in this dialect. */
  readonly isTextField: (field: FieldRef | undefined) => boolean
}
