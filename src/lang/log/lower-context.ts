import type { Origin, Span } from '../../base/index.ts'
import type { ValueTest } from '../../data/index.ts'
import type { Dialect, Expr, FieldPattern, LogicalPlan } from '../../plan/index.ts'
import type { FieldRef, Filter, Pipe, Query } from './ast.ts'
import type { Printer } from './print/printer.ts'

/** The settings and functions with which pipes and filters are lowered (converted from the syntax tree to the plan). */
export interface LowerContext {
  readonly dialect: Dialect
  /** Current time for relative times, ns. */
  readonly nowNs: bigint
  /**
   * Time zone of dates, times of day and buckets that specify no zone: an IANA name or an offset such as `+02:00`.
   * Default: UTC.
   */
  readonly zone: string | undefined
  /** Duration by which `options(time_offset=…)` shifts `_time` filters into the past, ns. */
  readonly timeOffsetNs: bigint
  /** Prints canonical text, which gives results their default names. */
  readonly printer: Printer
  readonly at: (span: Span) => Origin
  readonly filter: (filter: Filter) => Expr
  readonly query: (query: Query) => LogicalPlan
  /** Returns the plan of a pipe that reads the rows of `input`. */
  readonly pipe: (pipe: Pipe, input: LogicalPlan) => LogicalPlan
  /**
   * Returns the predicate that tests a field, the fields that match a pattern, or the main text field. If
   * `isAlternative`, adjacent tests of one field (`level:error level:warn`) are joined by OR, not by AND. Set it for
   * tests of a value (a word, a list, a star), but not for comparisons, ranges and regular expressions.
   */
  readonly test: (field: FieldRef | undefined, test: ValueTest, span: Span, isAlternative?: boolean) => Expr
  /** Returns the name of a field, or of the main text field if `undefined`. */
  readonly name: (field: FieldRef | undefined) => string
  readonly pattern: (field: FieldRef) => FieldPattern
}
