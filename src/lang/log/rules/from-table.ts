import type { QueryOption } from '../ast.ts'
import type { FeatureDoc } from '../feature-doc.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'

export const fromTableDoc: FeatureDoc = {
  summary:
    'Names the table that a query in parentheses reads; without it the query reads the table of the query around it.',
  form: '(from table [filter] | …)',
  examples: [
    {
      query: 'level:error | join by (pod) (from spans kind:Server | stats by (pod) max(duration_seconds) as slowest)',
      text: 'rows of another table, `spans`',
      dialect: 'native',
    },
    {
      query: '* | union (from events | fields reason) | limit 5',
      text: 'rows of two tables',
      dialect: 'native',
    },
    {
      query: 'trace_id:in (from spans status:error | fields trace_id)',
      text: 'rows whose value is one of those in another table',
      dialect: 'native',
    },
    {
      query: '* | union ("from" alice | limit 5)',
      text: 'in quotes `from` is a word to search for, as it is outside of parentheses',
      dialect: 'native',
    },
  ],
}

const From = t.keyword('from')

/**
 * True if a query in parentheses begins with `from` and a table name. In contrast, `from:alice`, `from or to`, `from
 * level:error` and `from` alone are filters, and so is `from` at the start of a text outside parentheses.
 */
export function isFromTable($: Syntax): boolean {
  if (!$.isNative || !$.isNext(From) || $.touches(2)) return false
  const isName = $.isNext(t.Quoted, 2) || ($.isNext(t.Word, 2) && !$.isNextIn(operators, 2) && !$.isNext(t.Not, 2))
  if (!isName) return false
  let next = 3
  while ($.touches(next) && ($.isNext(t.Word, next) || $.isNext(t.Glue, next))) next++
  return !$.isNext(t.Colon, next) && !$.isNextIn(operators, next) && (!$.touches(next) || $.isNextIn(ends, next))
}

const operators = new Set([t.And, t.Or])
const ends = new Set([t.Bar, t.RParen])

/** Registers the rule of `from table`, which is equivalent to the option `domain`. */
export function registerFromTable($: Syntax): Rule<[], QueryOption> {
  return $.RULE('fromTable', (): QueryOption => {
    const start = $.ACTION(() => $.startOffset())
    $.consume(From)
    const value = $.subrule($.rules.text)
    return $.ACTION(() => {
      $.refuseAsName(value)
      return { name: 'domain', value, filter: undefined, span: $.spanFrom(start) }
    })
  })
}
