import type { FieldRef, Filter, PatternValue, Pipe, Query, Source, TextValue } from './ast.ts'
import type { Rule } from '../kit/index.ts'
import type { GroupBy, RunningBody, SortField, StatsBody, StatsCall } from './stats/call.ts'
import type { TokenType } from './tokens.ts'

/** Grammar rules that several pipes and filters use. */
export interface SharedRules {
  query: Rule<[], Query>
  /** A filter: a boolean expression with any operators. */
  filter: Rule<[], Filter>
  /** A filter in parentheses. In `logsql`, a condition such as that of `if` may have empty parentheses. */
  parenFilter: Rule<[isCondition?: boolean], Filter>
  /** A query in parentheses. */
  parenQuery: Rule<[], Query>
  /** One operand of a boolean expression. */
  operand: Rule<[], Filter>
  pipe: Rule<[], Pipe>
  /** A word or quoted string; a word may consist of several tokens that touch, such as `a-b.c`. */
  text: Rule<[], TextValue>
  /** A value like `text` that may contain stars. With `withColon`, the word may contain colons. */
  pattern: Rule<[withColon?: boolean], PatternValue>
  /** A field name without stars. */
  field: Rule<[endsAtColon?: boolean], FieldRef>
  fieldPattern: Rule<[endsAtColon?: boolean], FieldRef>
  /** Field names, possibly with stars: `a, b*, c`. */
  fieldPatterns: Rule<[], readonly FieldRef[]>
  /** Field names in parentheses, possibly none: `(a, b)`. */
  parenFields: Rule<[], readonly FieldRef[]>
  parenFieldPatterns: Rule<[], readonly FieldRef[]>
  /** Field names after the word `by`: `(a, b)` or `a, b`. */
  keyFields: Rule<[], readonly FieldRef[]>
  /** Condition of a result: `if ( filter )`. */
  condition: Rule<[], Filter>
  /** Name of a result: `[as] name`. */
  alias: Rule<[], FieldRef>
  /** Values in parentheses, possibly none: `(a, "b c", 1.5)`. */
  values: Rule<[], readonly TextValue[]>
  /** An unsigned integer, possibly with a suffix such as `k`. */
  count: Rule<[], number>
  /** A duration, possibly signed. */
  duration: Rule<[], TextValue>
  /** Sort fields in parentheses, possibly none: `(f [asc|desc], …)`. */
  sortFields: Rule<[], readonly SortField[]>
  /** Sort fields after the word `by`, with or without parentheses. */
  sortKeys: Rule<[], readonly SortField[]>
  /** Partition keys: `partition [by] (fields)`. */
  partition: Rule<[], readonly FieldRef[]>
  /** Column for the rank: `rank [as name]`. */
  rank: Rule<[], FieldRef>
  /** At least one field: `by (a, b)`, `(a, b)` or `a, b`. A word in `clauses` ends the list. */
  byFields: Rule<[clauses?: readonly TokenType[]], readonly FieldRef[]>
  statsBody: Rule<[], StatsBody>
  /** A group key with optional bucket width: `field[:bucket] …`. */
  groupBy: Rule<[], GroupBy>
  /** The part after `running_stats` or `total_stats`: group keys and calls. */
  runningBody: Rule<[], RunningBody>
  /** Second input of a pipe: `( query )` or `rows({…}, …)`. */
  source: Rule<[], Source>
  /** Call of a stats function, `fn(args) …`, without the name of the result. */
  statsCall: Rule<[], StatsCall>
}
