import type { Filter, OnField, TextValue } from '../ast.ts'
import { defineFilter, type FieldArgument } from '../definition.ts'
import * as t from '../tokens.ts'
import { startOf } from './shared.ts'

/** Matches values that are JSON arrays with one of the strings as an item. */
export interface JsonArrayFilter extends OnField {
  readonly kind: 'json-array'
  readonly values: readonly TextValue[]
}

declare module '../ast.ts' {
  interface FilterKinds {
    'json-array': JsonArrayFilter
  }
}

const Name = t.keyword('json_array_contains_any')

export const jsonArray = defineFilter({
  kind: 'json-array',
  names: ['json_array_contains_any'],
  call: ($) =>
    $.RULE('jsonArrayCall', (field?: FieldArgument): Filter => {
      const start = $.ACTION(() => startOf($, field))
      $.consume(Name)
      const values = $.subrule($.rules.values)
      return $.ACTION(() => {
        const where = $.spanFrom(start)
        $.countTerm(where)
        return { kind: 'json-array', values, field, span: where }
      })
    }),
  print: (filter, printer) => {
    const values = filter.values.map(({ text }) => printer.text(text)).join(',')
    return `${printer.prefix(filter.field)}json_array_contains_any(${values})`
  },
  lower: (filter, context) => {
    const args = filter.values.map(({ text }) => text)
    return context.test(filter.field, { kind: 'named', name: 'json-array-contains-any', args }, filter.span)
  },
  doc: {
    summary: 'The value is a JSON array with one of the texts as an item.',
    form: 'field:json_array_contains_any(text, …)',
    examples: [{ query: 'tags:json_array_contains_any(canary, beta)', text: 'rows with one of the tags' }],
  },
})
