import { parseDurationNs, type Span } from '../../../base/index.ts'
import type { FieldRef, Filter, TextValue } from '../ast.ts'
import { definePipe } from '../definition.ts'
import * as t from '../tokens.ts'
import { applyRow, named, readAt, readCondition } from './parts.ts'

/** Pipe that shifts a time by a duration. */
export interface TimeAddPipe {
  readonly kind: 'time_add'
  readonly condition: Filter | undefined
  readonly offset: TextValue
  /** Field that is shifted. Default: `_time`. */
  readonly field: FieldRef | undefined
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    time_add: TimeAddPipe
  }
}

const Name = t.keyword('time_add')

export const timeAdd = definePipe({
  kind: 'time_add',
  names: ['time_add'],
  rule: ($) =>
    $.RULE('timeAddPipe', (): TimeAddPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Name)
      const condition = readCondition($, false)
      const offset = $.subrule($.rules.duration)
      const field = readAt($)
      return { kind: 'time_add', condition, offset, field, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => {
    const isTime = pipe.field === undefined || pipe.field.parts.join('*') === '_time'
    const field = isTime || pipe.field === undefined ? '' : ` at ${printer.field(pipe.field)}`
    return `time_add${printer.condition(pipe.condition)} ${pipe.offset.text}${field}`
  },
  lower: (pipe, input, context) => {
    const field = pipe.field === undefined ? '_time' : context.name(pipe.field)
    return applyRow(
      input,
      {
        fn: 'time_add',
        params: { field, offsetNs: String(parseDurationNs(pipe.offset.text) ?? 0n) },
        condition: pipe.condition,
        reads: named(field),
        outputs: [field],
        span: pipe.span,
      },
      context,
    )
  },
  doc: {
    summary: 'Moves a time by a duration.',
    form: 'time_add [if (filter)] duration [at field]',
    examples: [{ query: '* | time_add -1h', text: 'rows as if they were an hour older' }],
  },
})
