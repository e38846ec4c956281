import { toRangeNumber } from '../../../data/index.ts'
import type { Filter, OnField, TextValue } from '../ast.ts'
import { defineFilter, type FieldArgument } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'
import { startOf } from './shared.ts'

const Range = t.keyword('range')

/** Matches numbers between two bounds. `[` and `]` include a bound; `(` and `)` exclude it. */
export interface RangeFilter extends OnField {
  readonly kind: 'range'
  readonly min: TextValue
  readonly max: TextValue
  readonly isMinIncluded: boolean
  readonly isMaxIncluded: boolean
}

declare module '../ast.ts' {
  interface FilterKinds {
    range: RangeFilter
  }
}

/** Parses a bound of a range; reports an error if it is not a number. */
function numberOf($: Syntax, value: TextValue): number | bigint {
  const number = toRangeNumber(value.text)
  if (number === undefined || Number.isNaN(number)) {
    $.fail(logDiagnostic('bad-number', { text: value.text, what: 'a number' }, value.span))
  }
  return number
}

function call($: Syntax): Rule<[field?: FieldArgument], Filter> {
  return $.RULE('rangeCall', (field?: FieldArgument): Filter => {
    const start = $.ACTION(() => startOf($, field))
    $.consume(Range)
    const open = $.or(0, [{ ALT: () => $.consume(t.LParen) }, { ALT: () => $.consume(t.LBracket) }])
    const min = $.subrule($.rules.text)
    $.consume(t.Comma)
    const max = $.subrule($.rules.text)
    $.option(0, () => $.consume(t.Comma))
    const close = $.or(1, [{ ALT: () => $.consume(t.RParen) }, { ALT: () => $.consume(t.RBracket) }])
    return $.ACTION(() => {
      const where = $.spanFrom(start)
      $.countTerm(where)
      numberOf($, min)
      numberOf($, max)
      const isMinIncluded = open.tokenType === t.LBracket
      const isMaxIncluded = close.tokenType === t.RBracket
      return { kind: 'range', min, max, isMinIncluded, isMaxIncluded, field, span: where }
    })
  })
}

export const range = defineFilter({
  kind: 'range',
  names: ['range'],
  call,
  print: (filter, printer) => {
    const [open, close] = [filter.isMinIncluded ? '[' : '(', filter.isMaxIncluded ? ']' : ')']
    return `${printer.prefix(filter.field)}range${open}${filter.min.text}, ${filter.max.text}${close}`
  },
  lower: (filter, context) =>
    context.test(
      filter.field,
      {
        kind: 'range',
        min: toRangeNumber(filter.min.text) ?? NaN,
        max: toRangeNumber(filter.max.text) ?? NaN,
        isMinIncluded: filter.isMinIncluded,
        isMaxIncluded: filter.isMaxIncluded,
      },
      filter.span,
    ),
  doc: {
    summary: 'A number between two bounds; a square bracket includes its bound.',
    form: '[field:]range[min, max)',
    examples: [{ query: 'duration_ms:range[100, 500)', text: 'rows from 100 to below 500' }],
  },
})
