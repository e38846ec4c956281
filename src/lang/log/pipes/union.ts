import type { Span } from '../../../base/index.ts'
import type { Source } from '../ast.ts'
import { definePipe } from '../definition.ts'
import * as t from '../tokens.ts'
import { lowerSource, printSource } from './rows.ts'

/** Pipe that appends the rows of another input. */
export interface UnionPipe {
  readonly kind: 'union'
  readonly source: Source
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    union: UnionPipe
  }
}

const Name = t.keyword('union')

export const union = definePipe({
  kind: 'union',
  names: ['union'],
  rule: ($) =>
    $.RULE('unionPipe', (): UnionPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Name)
      const source = $.subrule($.rules.source)
      return { kind: 'union', source, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => `union ${printSource(pipe.source, printer)}`,
  lower: (pipe, input, context) => ({
    kind: 'union',
    inputsList: [input, lowerSource(pipe.source, context)],
    origin: context.at(pipe.span),
  }),
  doc: {
    summary: 'The rows of another query, or rows written in place, after those so far.',
    form: 'union (query) | union rows({"name":"value"}, …)',
    examples: [{ query: 'level:error | union (panic _time:1h)', text: 'rows of two queries' }],
  },
})
