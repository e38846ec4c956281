import type { Origin, Span } from '../../base/index.ts'
import type { ValueTest } from '../../data/index.ts'
import type { Dialect, Expr, FieldPattern, LogicalPlan } from '../../plan/index.ts'
import type { FieldRef, Filter, Pipe, Query } from './ast.ts'
import type { Printer } from './print/printer.ts'

/** What the lowering functions of pipes and filters may use. */
export interface LowerContext {
  readonly dialect: Dialect
  /** The instant that relative times count from. */
  readonly nowNs: bigint
  /** The zone of dates, times of day and buckets that name none: of the IANA database or an offset such as `+02:00`. UTC unless given. */
  readonly zone: string | undefined
  /** How far `_time` filters are moved back, by `options(time_offset=…)`. */
  readonly timeOffsetNs: bigint
  /** For names made of the canonical text of something. */
  readonly printer: Printer
  readonly at: (span: Span) => Origin
  readonly filter: (filter: Filter) => Expr
  readonly query: (query: Query) => LogicalPlan
  /** One pipe over the rows of `input`. */
  readonly pipe: (pipe: Pipe, input: LogicalPlan) => LogicalPlan
  /**
   * A closed test on a field by name or pattern, or on the text field. With `isAlternative` it is one of several values that
   * the field may have: beside another such test of the same field (`level:error level:warn`) it is joined by OR, not by AND.
   * That is for tests of a value (a word, a list, a star); comparisons, ranges and regular expressions are joined by AND.
   */
  readonly test: (field: FieldRef | undefined, test: ValueTest, span: Span, isAlternative?: boolean) => Expr
  /** The name of a field, or of the text field. */
  readonly name: (field: FieldRef | undefined) => string
  readonly pattern: (field: FieldRef) => FieldPattern
}
