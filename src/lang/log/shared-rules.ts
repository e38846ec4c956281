import type { FieldRef, Filter, PatternValue, Pipe, Query, Source, TextValue } from './ast.ts'
import type { Rule } from '../kit/index.ts'
import type { GroupBy, RunningBody, SortField, StatsBody, StatsCall } from './stats/call.ts'
import type { TokenType } from './tokens.ts'

/** Rules that pipes and filters share. */
export interface SharedRules {
  query: Rule<[], Query>
  /** A whole boolean expression. */
  filter: Rule<[], Filter>
  /** `( filter )`; a condition may be empty in `logsql`. */
  parenFilter: Rule<[isCondition?: boolean], Filter>
  /** `( query )`. */
  parenQuery: Rule<[], Query>
  /** One operand of a boolean expression. */
  operand: Rule<[], Filter>
  pipe: Rule<[], Pipe>
  /** A compound word or quoted string. */
  text: Rule<[], TextValue>
  /** Like `text`, with stars; `true` lets colons join words. */
  pattern: Rule<[withColon?: boolean], PatternValue>
  /** A field without stars. */
  field: Rule<[endsAtColon?: boolean], FieldRef>
  fieldPattern: Rule<[endsAtColon?: boolean], FieldRef>
  /** `a, b*, c` */
  fieldPatterns: Rule<[], readonly FieldRef[]>
  /** `(a, b)`, also empty */
  parenFields: Rule<[], readonly FieldRef[]>
  parenFieldPatterns: Rule<[], readonly FieldRef[]>
  /** `(a, b)` or `a, b`, behind `by` */
  keyFields: Rule<[], readonly FieldRef[]>
  /** `if ( filter )`. */
  condition: Rule<[], Filter>
  /** `[as] name` */
  alias: Rule<[], FieldRef>
  /** `(a, "b c", 1.5)`, also empty */
  values: Rule<[], readonly TextValue[]>
  /** An unsigned integer; suffixes allowed. */
  count: Rule<[], number>
  /** A duration, possibly signed. */
  duration: Rule<[], TextValue>
  /** `(f [asc|desc], …)`, also empty */
  sortFields: Rule<[], readonly SortField[]>
  /** The same with or without parentheses, behind `by`. */
  sortKeys: Rule<[], readonly SortField[]>
  /** `partition [by] (fields)` */
  partition: Rule<[], readonly FieldRef[]>
  /** `rank [as name]` */
  rank: Rule<[], FieldRef>
  /** `by (a, b)`, `(a, b)` or `a, b`; at least one. Words of `clauses` end the list. */
  byFields: Rule<[clauses?: readonly TokenType[]], readonly FieldRef[]>
  statsBody: Rule<[], StatsBody>
  /** `field[:bucket] …`, a group key. */
  groupBy: Rule<[], GroupBy>
  /** The same for `running_stats` and `total_stats`. */
  runningBody: Rule<[], RunningBody>
  /** `( query )` or `rows({…}, …)` */
  source: Rule<[], Source>
  /** `fn(args) …` without a name for the result. */
  statsCall: Rule<[], StatsCall>
}
