import type { Span } from '../../../base/index.ts'
import type { FieldRef } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { expectComma } from '../rules/lists.ts'
import * as t from '../tokens.ts'
import { readName } from './parts.ts'

export interface DeletePipe {
  readonly kind: 'delete'
  readonly fields: readonly FieldRef[]
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    delete: DeletePipe
  }
}

const names = ['delete', 'del', 'rm', 'drop']
const types = names.map(t.keyword)

export const deleteFields = definePipe({
  kind: 'delete',
  names,
  rule: ($) =>
    $.RULE('deletePipe', (): DeletePipe => {
      const start = $.ACTION(() => $.startOffset())
      readName($, types)
      const fields = $.subrule($.rules.fieldPatterns)
      $.ACTION(() => expectComma($))
      return { kind: 'delete', fields, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => `delete ${printer.fields(pipe.fields)}`,
  lower: (pipe, input, context) => ({
    kind: 'drop',
    input,
    fields: pipe.fields.map(context.pattern),
    origin: context.at(pipe.span),
  }),
  doc: {
    summary: 'Removes fields.',
    form: 'delete field, prefix*, …',
    examples: [{ query: '* | delete pod, k8s.*', text: 'rows without these fields' }],
  },
})
