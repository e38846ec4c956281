import type { Span } from '../../../base/index.ts'
import type { FieldRef } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { expectComma } from '../rules/lists.ts'
import * as t from '../tokens.ts'

const Fields = t.keyword('fields')
const Keep = t.keyword('keep')

export interface FieldsPipe {
  readonly kind: 'fields'
  readonly fields: readonly FieldRef[]
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    fields: FieldsPipe
  }
}

export const fields = definePipe({
  kind: 'fields',
  names: ['fields', 'keep'],
  rule: ($) =>
    $.RULE('fieldsPipe', (): FieldsPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.or(0, [{ ALT: () => $.consume(Fields) }, { ALT: () => $.consume(Keep) }])
      const list = $.subrule($.rules.fieldPatterns)
      $.ACTION(() => expectComma($))
      return { kind: 'fields', fields: list, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => `fields ${printer.fields(pipe.fields)}`,
  lower: (pipe, input, context) => ({
    kind: 'project',
    input,
    fields: pipe.fields.map(context.pattern),
    origin: context.at(pipe.span),
  }),
  doc: {
    summary: 'Keeps only these fields, in this order.',
    form: 'fields field, prefix*, …',
    examples: [{ query: 'level:error | fields _time, workload, content', text: 'three fields of every error' }],
  },
})
