import { call as callOf, column } from '../../../plan/index.ts'
import type { FieldRef, Filter, OnField } from '../ast.ts'
import { defineFilter, type FieldArgument } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import * as t from '../tokens.ts'
import { startOf } from './shared.ts'

export type FieldCompareOp = 'eq_field' | 'le_field' | 'lt_field'

/**
 * Compares two fields of a row. Equality operators compare strings; order operators compare numbers if both values are
 * numbers, else strings.
 */
export interface FieldCompareFilter extends OnField {
  readonly kind: 'field-compare'
  readonly op: FieldCompareOp
  readonly other: FieldRef
}

declare module '../ast.ts' {
  interface FilterKinds {
    'field-compare': FieldCompareFilter
  }
}

const types = { eq_field: t.keyword('eq_field'), le_field: t.keyword('le_field'), lt_field: t.keyword('lt_field') }

export const fieldCompare = defineFilter({
  kind: 'field-compare',
  names: ['eq_field', 'le_field', 'lt_field'],
  call: ($) =>
    $.RULE('fieldCompareCall', (field?: FieldArgument): Filter => {
      const start = $.ACTION(() => startOf($, field))
      const name = $.or(0, [
        { ALT: () => $.consume(types.eq_field) },
        { ALT: () => $.consume(types.le_field) },
        { ALT: () => $.consume(types.lt_field) },
      ])
      $.consume(t.LParen)
      const other = $.subrule($.rules.field)
      $.option(0, () => $.consume(t.Comma))
      $.consume(t.RParen)
      return $.ACTION(() => {
        const where = $.spanFrom(start)
        $.countTerm(where)
        const op = name.image.toLowerCase() as FieldCompareOp
        if (field === undefined || field.parts.length === 1)
          return { kind: 'field-compare', op, other, field, span: where }
        const text = field.parts.join('*')
        if ($.isNative) $.fail(logDiagnostic('field-wildcard', { text }, field.span))
        // In `logsql`, a field name before this filter may contain a literal star, so its text is one part.
        return { kind: 'field-compare', op, other, field: { parts: [text], span: field.span }, span: where }
      })
    }),
  print: (filter, printer) => `${printer.prefix(filter.field)}${filter.op}(${printer.field(filter.other)})`,
  lower: (filter, context) => {
    const origin = context.at(filter.span)
    const left = column(context.name(filter.field), origin)
    return callOf(filter.op, [left, column(context.name(filter.other), origin)], origin)
  },
  doc: {
    summary: 'One field against another: equal texts, or less by number, else by text.',
    form: 'field:eq_field(other) | field:le_field(other) | field:lt_field(other)',
    examples: [{ query: 'source:eq_field(target)', text: 'rows that go nowhere' }],
  },
})
