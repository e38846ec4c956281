import { call as callOf, column, literal } from '../../../plan/index.ts'
import type { Filter, OnField, TextValue } from '../ast.ts'
import { defineFilter, type FieldArgument } from '../definition.ts'
import * as t from '../tokens.ts'
import { startOf } from './shared.ts'

/** Matches rows whose column has this storage type. */
export interface ValueTypeFilter extends OnField {
  readonly kind: 'value-type'
  readonly type: TextValue
}

declare module '../ast.ts' {
  interface FilterKinds {
    'value-type': ValueTypeFilter
  }
}

const Name = t.keyword('value_type')

export const valueType = defineFilter({
  kind: 'value-type',
  names: ['value_type'],
  call: ($) =>
    $.RULE('valueTypeCall', (field?: FieldArgument): Filter => {
      const start = $.ACTION(() => startOf($, field))
      $.consume(Name)
      $.consume(t.LParen)
      const type = $.subrule($.rules.text)
      $.option(0, () => $.consume(t.Comma))
      $.consume(t.RParen)
      return $.ACTION(() => {
        const where = $.spanFrom(start)
        $.countTerm(where)
        return { kind: 'value-type', type, field, span: where }
      })
    }),
  print: (filter, printer) => `${printer.prefix(filter.field)}value_type(${printer.text(filter.type.text)})`,
  lower: (filter, context) => {
    const { field } = filter
    if (field !== undefined && field.parts.length > 1) {
      return context.test(field, { kind: 'named', name: 'value-type', args: [filter.type.text] }, filter.span)
    }
    const origin = context.at(filter.span)
    const arg = column(context.name(field), origin)
    return callOf('value_type', [arg, literal(filter.type.text, origin)], origin)
  },
  doc: {
    summary: 'How the column is stored: const, dict, string, uint8 to uint64, int64, float64, ipv4 or iso8601.',
    form: 'field:value_type(name)',
    examples: [{ query: 'status:value_type(uint16)', text: 'rows of blocks that store it so' }],
  },
})
