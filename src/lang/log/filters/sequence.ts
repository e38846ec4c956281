import type { Filter, OnField, TextValue } from '../ast.ts'
import { defineFilter, type FieldArgument } from '../definition.ts'
import * as t from '../tokens.ts'
import { startOf } from './shared.ts'

/** Matches values that contain the phrases in this order, without overlap. */
export interface SequenceFilter extends OnField {
  readonly kind: 'sequence'
  readonly phrases: readonly TextValue[]
}

declare module '../ast.ts' {
  interface FilterKinds {
    sequence: SequenceFilter
  }
}

const Seq = t.keyword('seq')

export const sequence = defineFilter({
  kind: 'sequence',
  names: ['seq'],
  call: ($) =>
    $.RULE('sequenceCall', (field?: FieldArgument): Filter => {
      const start = $.ACTION(() => startOf($, field))
      $.consume(Seq)
      const phrases = $.subrule($.rules.values)
      return $.ACTION(() => {
        const where = $.spanFrom(start)
        $.countTerm(where)
        return { kind: 'sequence', phrases, field, span: where }
      })
    }),
  print: (filter, printer) =>
    `${printer.prefix(filter.field)}seq(${filter.phrases.map(({ text }) => printer.text(text)).join(',')})`,
  lower: (filter, context) =>
    context.test(
      filter.field,
      {
        kind: 'sequence',
        phrases: filter.phrases.map(({ text }) => text),
        isFolded: context.dialect === 'native',
      },
      filter.span,
    ),
  doc: {
    summary: 'Words or phrases that occur in this order.',
    form: '[field:]seq(text, …)',
    examples: [{ query: 'seq("retry", "gave up")', text: 'rows in which the second follows the first' }],
  },
})
