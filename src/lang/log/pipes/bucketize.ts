import type { Span } from '../../../base/index.ts'
import { column } from '../../../plan/index.ts'
import type { FieldRef } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { bucketOf } from '../stats/bucket.ts'
import type { GroupBy } from '../stats/call.ts'
import { printGroupBy } from '../stats/print.ts'
import * as t from '../tokens.ts'

const Bucketize = t.keyword('bucketize')

/**
 * Pipe that rounds a field of every row down to the start of its bucket, like a group key of `stats` with a bucket
 * width.
 */
export interface BucketizePipe {
  readonly kind: 'bucketize'
  readonly key: GroupBy
  /** Field that receives the result. Default: the field that is read. */
  readonly into: FieldRef | undefined
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    bucketize: BucketizePipe
  }
}

const As = t.keyword('as')

export const bucketize = definePipe({
  kind: 'bucketize',
  names: ['bucketize'],
  isNativeOnly: true,
  rule: ($) =>
    $.RULE('bucketizePipe', (): BucketizePipe => {
      const start = $.ACTION(() => $.startOffset())
      const word = $.consume(Bucketize)
      const key = $.subrule($.rules.groupBy)
      const into = $.option(0, { GATE: () => $.isNext(As), DEF: () => $.subrule($.rules.alias) })
      return $.ACTION(() => {
        if (key.bucket === undefined || key.fill !== undefined) {
          const data = { what: 'bucketize', example: 'bucketize _time:5m as slot' }
          $.fail(logDiagnostic('missing-keys', data, $.tokenSpan(word)))
        }
        return { kind: 'bucketize', key, into, span: $.spanFrom(start) }
      })
    }),
  print: ({ key, into }, printer) => `bucketize ${printGroupBy(key, printer)}${printer.as(into)}`,
  lower: ({ key, into, span }, input, context) => {
    const origin = context.at(span)
    const arg = column(context.name(key.field), context.at(key.field.span))
    const bucket = bucketOf(key, context.zone)
    const expr = bucket === undefined ? arg : ({ kind: 'bucket', arg, bucket, origin } as const)
    return {
      kind: 'extend',
      input,
      assignments: [{ name: context.name(into ?? key.field), expr, type: 'any' }],
      origin,
    }
  },
  doc: {
    summary: 'A field floored to its bucket on every row, as a key of `stats` is.',
    form: 'bucketize field:bucket [offset duration] [zone name] [as name]',
    examples: [
      {
        query: '* | stats by (workload) min(_time) as first | bucketize first:5m as slot',
        text: 'the five minutes in which each workload began',
        dialect: 'native',
      },
    ],
  },
})
