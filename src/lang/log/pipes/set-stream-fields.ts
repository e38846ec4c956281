import type { Span } from '../../../base/index.ts'
import type { FieldRef, Filter } from '../ast.ts'
import { definePipe } from '../definition.ts'
import * as t from '../tokens.ts'
import { applyRow, named, patternsJson, readCondition } from './parts.ts'

/** Pipe that builds the field `_stream` from other fields. */
export interface SetStreamFieldsPipe {
  readonly kind: 'set_stream_fields'
  readonly condition: Filter | undefined
  readonly fields: readonly FieldRef[]
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    set_stream_fields: SetStreamFieldsPipe
  }
}

const Name = t.keyword('set_stream_fields')

export const setStreamFields = definePipe({
  kind: 'set_stream_fields',
  names: ['set_stream_fields'],
  rule: ($) =>
    $.RULE('setStreamFieldsPipe', (): SetStreamFieldsPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Name)
      const condition = readCondition($, true)
      const fields = $.subrule($.rules.fieldPatterns)
      return { kind: 'set_stream_fields', condition, fields, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => `set_stream_fields${printer.condition(pipe.condition)} ${printer.fields(pipe.fields)}`,
  lower: (pipe, input, context) =>
    applyRow(
      input,
      {
        fn: 'set_stream_fields',
        params: { fieldPatterns: patternsJson(pipe.fields) },
        condition: pipe.condition,
        reads: pipe.fields.map(context.pattern),
        outputs: ['_stream'],
        writes: named('_stream_id'),
        type: 'string',
        isReplacing: true,
        span: pipe.span,
      },
      context,
    ),
  doc: {
    summary: 'Makes `_stream` anew out of these fields.',
    form: 'set_stream_fields [if (filter)] field, prefix*, …',
    examples: [{ query: '* | set_stream_fields workload, pod', text: 'streams by workload and pod' }],
  },
})
