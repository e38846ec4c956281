import type { Origin, Span } from '../../base/index.ts'
import type { ValueTest } from '../../data/index.ts'
import type { Dialect, Expr, FieldPattern, LogicalPlan } from '../../plan/index.ts'
import type { FieldRef, Filter, Pipe, Query } from './ast.ts'
import type { Printer } from './print/printer.ts'

/** Context for lowering pipes and filters. */
export interface LowerContext {
  readonly dialect: Dialect
  /** Reference time of relative times, ns. */
  readonly nowNs: bigint
  /** Zone of dates, times of day and buckets without one: an IANA name or an offset such as `+02:00`. Default: UTC. */
  readonly zone: string | undefined
  /** Shift of `_time` filters into the past by `options(time_offset=…)`, ns. */
  readonly timeOffsetNs: bigint
  /** For names made from canonical text. */
  readonly printer: Printer
  readonly at: (span: Span) => Origin
  readonly filter: (filter: Filter) => Expr
  readonly query: (query: Query) => LogicalPlan
  /** Lowers a pipe over the rows of `input`. */
  readonly pipe: (pipe: Pipe, input: LogicalPlan) => LogicalPlan
  /**
   * A closed test on a field by name or pattern, or on the text field. With `isAlternative` it is one of several values that
   * the field may have: beside another such test of the same field (`level:error level:warn`) it is joined by OR, not by AND.
   * That is for tests of a value (a word, a list, a star); comparisons, ranges and regular expressions are joined by AND.
   */
  readonly test: (field: FieldRef | undefined, test: ValueTest, span: Span, isAlternative?: boolean) => Expr
  /** Name of a field, or of the text field. */
  readonly name: (field: FieldRef | undefined) => string
  readonly pattern: (field: FieldRef) => FieldPattern
}
