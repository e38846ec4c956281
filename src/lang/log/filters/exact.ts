import type { Filter, OnField, PatternValue } from '../ast.ts'
import { defineFilter, type FieldArgument } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'
import { startOf, starOrNone } from './shared.ts'

const Exact = t.keyword('exact')

/** Matches the whole value, case-sensitively; with `isPrefix`, the beginning of the value. */
export interface ExactFilter extends OnField {
  readonly kind: 'exact'
  readonly text: string
  readonly isPrefix: boolean
}

declare module '../ast.ts' {
  interface FilterKinds {
    exact: ExactFilter
  }
}

function finish($: Syntax, field: FieldArgument, start: number, value: PatternValue, isNegated: boolean): Filter {
  return $.ACTION(() => {
    const where = $.spanFrom(start)
    $.countTerm(where)
    const filter: ExactFilter = { kind: 'exact', ...starOrNone($, value), field, span: where }
    return isNegated ? { kind: 'not', arg: filter, field: undefined, span: where } : filter
  })
}

function operator($: Syntax): Rule<[field?: FieldArgument], Filter> {
  return $.RULE('exactFilter', (field?: FieldArgument): Filter => {
    const start = $.ACTION(() => startOf($, field))
    const mark = $.or(0, [{ ALT: () => $.consume(t.Equals) }, { ALT: () => $.consume(t.NotEquals) }])
    $.ACTION(() => {
      if (!$.isNext(t.Equals) || !$.touches()) return
      $.fail(logDiagnostic('double-equals', {}, { start: mark.startOffset, end: $.startOffset() + 1 }))
    })
    const value = $.subrule($.rules.pattern, true)
    return finish($, field, start, value, mark.tokenType === t.NotEquals)
  })
}

function call($: Syntax): Rule<[field?: FieldArgument], Filter> {
  return $.RULE('exactCall', (field?: FieldArgument): Filter => {
    const start = $.ACTION(() => startOf($, field))
    $.consume(Exact)
    $.consume(t.LParen)
    const value = $.subrule($.rules.pattern, true)
    $.consume(t.RParen)
    return finish($, field, start, value, false)
  })
}

export const exact = defineFilter({
  kind: 'exact',
  names: ['exact'],
  operator,
  call,
  print: (filter, printer) =>
    `${printer.prefix(filter.field)}=${printer.text(filter.text)}${filter.isPrefix ? '*' : ''}`,
  lower: (filter, context) => {
    const isTyped = context.dialect === 'native'
    return context.test(
      filter.field,
      filter.isPrefix
        ? // Every value, also a missing one, starts with the empty string.
          { kind: filter.text === '' ? 'contains' : 'starts-with', text: filter.text, isFolded: false }
        : { kind: 'equals', value: filter.text, isFolded: false, isTyped },
      filter.span,
      true,
    )
  },
  doc: {
    summary: 'The whole value, or with a star its beginning, case-sensitive.',
    form: '[field:]=value',
    examples: [
      { query: 'level:="error"', text: 'rows whose level is exactly this' },
      { query: 'path:=/api*', text: 'rows whose path begins so' },
      { query: 'level:!=debug', text: 'rows of every other level' },
      { query: 'level = "error"', text: 'the same without a colon', dialect: 'native' },
    ],
  },
})
