import type { Span } from '../../../base/index.ts'
import type { FieldRef, Filter } from '../ast.ts'
import { definePipe } from '../definition.ts'
import * as t from '../tokens.ts'
import { applyRow, named, readCondition } from './parts.ts'

/**
 * Pipe that returns one row for each item of a JSON array. Several arrays are unrolled together: row i has item i of
 * each.
 */
export interface UnrollPipe {
  readonly kind: 'unroll'
  readonly condition: Filter | undefined
  readonly fields: readonly FieldRef[]
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    unroll: UnrollPipe
  }
}

const Name = t.keyword('unroll')

export const unroll = definePipe({
  kind: 'unroll',
  names: ['unroll'],
  rule: ($) =>
    $.RULE('unrollPipe', (): UnrollPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Name)
      const condition = readCondition($, true)
      const fields = $.subrule($.rules.byFields)
      return { kind: 'unroll', condition, fields, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => `unroll${printer.condition(pipe.condition)} by (${printer.fields(pipe.fields)})`,
  lower: (pipe, input, context) => {
    const fields = pipe.fields.map(context.name)
    return applyRow(
      input,
      {
        fn: 'unroll',
        params: context.dialect === 'logsql' ? { fields, areNullsTexts: true } : { fields },
        condition: pipe.condition,
        reads: named(...fields),
        outputs: fields,
        isOneToOne: false,
        span: pipe.span,
      },
      context,
    )
  },
  doc: {
    summary: 'One row for each item of a JSON array; several arrays go in step.',
    form: 'unroll [if (filter)] by (field, …)',
    examples: [{ query: '* | unroll by (tags) | stats by (tags) count()', text: 'rows of each tag' }],
  },
})
