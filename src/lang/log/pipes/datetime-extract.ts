import type { Span } from '../../../base/index.ts'
import { call, column, literal } from '../../../plan/index.ts'
import type { FieldRef } from '../ast.ts'
import { definePipe } from '../definition.ts'
import * as t from '../tokens.ts'

const DatetimeExtract = t.keyword('datetime_extract')

/** Pipe that extracts a part of a time in UTC, such as the hour. */
export interface DatetimeExtractPipe {
  readonly kind: 'datetime_extract'
  readonly part: string
  readonly from: FieldRef
  readonly into: FieldRef
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    datetime_extract: DatetimeExtractPipe
  }
}

const From = t.keyword('from')

export const datetimeExtract = definePipe({
  kind: 'datetime_extract',
  names: ['datetime_extract'],
  isNativeOnly: true,
  rule: ($) =>
    $.RULE('datetimeExtractPipe', (): DatetimeExtractPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(DatetimeExtract)
      const part = $.subrule($.rules.text)
      $.consume(From)
      const from = $.subrule($.rules.field)
      const into = $.subrule($.rules.alias)
      return $.ACTION(() => ({ kind: 'datetime_extract', part: part.text, from, into, span: $.spanFrom(start) }))
    }),
  print: (pipe, printer) =>
    `datetime_extract ${printer.text(pipe.part)} from ${printer.field(pipe.from)}${printer.as(pipe.into)}`,
  lower: (pipe, input, context) => {
    const origin = context.at(pipe.span)
    const time = column(context.name(pipe.from), context.at(pipe.from.span))
    const expr = call('datetime-extract', [time, literal(pipe.part, origin)], origin)
    return { kind: 'extend', input, assignments: [{ name: context.name(pipe.into), expr, type: 'integer' }], origin }
  },
  doc: {
    summary: 'A part of a time in UTC: its year, month, day, hour and so on.',
    form: 'datetime_extract part from field as name',
    examples: [
      {
        query: '* | datetime_extract hour from _time as hour | stats by (hour) count() as hits',
        text: 'hits by hour of the day',
        dialect: 'native',
      },
    ],
  },
})
