import type { Dialect } from '../../../plan/index.ts'
import type { FieldRef, Filter, Query } from '../ast.ts'

/** Functions that print parts of pipes and filters. Parsing a printed text gives the same meaning. */
export interface Printer {
  readonly dialect: Dialect
  /** Prints a string, with quotes if the bare word could be parsed as something else. */
  readonly text: (text: string) => string
  /**
   * Prints a string like `text`, but does not quote the dots and colons of a number, size, duration, date or address.
   */
  readonly number: (text: string) => string
  /** Prints the literal parts of a pattern with stars between. */
  readonly pattern: (parts: readonly string[]) => string
  readonly field: (field: FieldRef) => string
  /** Prints a list of fields: `a, b*, c`. */
  readonly fields: (fields: readonly FieldRef[]) => string
  /** Prints `field:`; empty for the main text field. */
  readonly prefix: (field: FieldRef | undefined) => string
  /** Prints a simplified filter without surrounding parentheses. */
  readonly filter: (filter: Filter) => string
  /** Prints an operand of a filter that is already simplified, without simplifying the operand again. */
  readonly node: (filter: Filter) => string
  /** Prints ` if (…)`; empty without a filter. */
  readonly condition: (filter: Filter | undefined) => string
  readonly query: (query: Query) => string
  /** Prints a query in parentheses. Unlike `query`, it puts the table first, as `from table`. */
  readonly subquery: (query: Query) => string
  /** Prints ` as name`; empty without a field. */
  readonly as: (field: FieldRef | undefined) => string
  /** True if this is the main text field, under its name in this dialect. */
  readonly isTextField: (field: FieldRef | undefined) => boolean
}
