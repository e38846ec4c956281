import type { Span } from '../../../base/index.ts'
import { column } from '../../../plan/index.ts'
import type { FieldRef } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { noStars } from '../rules/lists.ts'
import * as t from '../tokens.ts'
import { DEFAULT_COUNT } from './parts.ts'

const Limit = t.keyword('limit')
const Head = t.keyword('head')

/** Pipe that keeps the first rows in their current order. */
export interface LimitPipe {
  readonly kind: 'limit'
  readonly count: number
  /**
   * Fields to group by: the limit applies separately to each combination of their values. If empty, the limit applies
   * to all rows.
   */
  readonly by: readonly FieldRef[]
  /** Number of rows to skip, for each combination of `by` values separately. */
  readonly offset: number
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    limit: LimitPipe
  }
}

const By = t.keyword('by')
const Offset = t.keyword('offset')

export const limit = definePipe({
  kind: 'limit',
  names: ['limit', 'head'],
  rule: ($) =>
    $.RULE('limitPipe', (): LimitPipe => {
      const start = $.ACTION(() => $.startOffset())
      const name = $.or(0, [{ ALT: () => $.consume(Limit) }, { ALT: () => $.consume(Head) }])
      const count = $.option(0, () => $.subrule($.rules.count))
      const by = $.option(1, {
        GATE: () => $.isNative,
        DEF: () => {
          $.consume(By)
          const fields = $.subrule($.rules.keyFields)
          $.ACTION(() => noStars($, fields))
          const skipped = $.option(2, () => {
            $.consume(Offset)
            return $.subrule($.rules.count)
          })
          return { fields, offset: skipped }
        },
      })
      return $.ACTION(() => {
        if (count === undefined && $.isNative) {
          $.fail(logDiagnostic('missing-number', { what: name.image, example: '10' }, $.tokenSpan(name)))
        }
        return {
          kind: 'limit',
          count: count ?? DEFAULT_COUNT,
          by: by?.fields ?? [],
          offset: by?.offset ?? 0,
          span: $.spanFrom(start),
        }
      })
    }),
  print: (pipe, printer) => {
    const by = pipe.by.length === 0 && pipe.offset === 0 ? '' : ` by (${printer.fields(pipe.by)})`
    return `limit ${pipe.count}${by}${pipe.offset === 0 ? '' : ` offset ${pipe.offset}`}`
  },
  lower: (pipe, input, context) => {
    const origin = context.at(pipe.span)
    if (pipe.by.length === 0) return { kind: 'limit', input, offset: pipe.offset, limit: pipe.count, origin }
    const keys = pipe.by.map((field) => column(context.name(field), context.at(field.span)))
    return { kind: 'limit-by', input, keys, offset: pipe.offset, limit: pipe.count, origin }
  },
  doc: {
    summary: 'The first rows, or the first of each combination of some fields.',
    form: 'limit count [by (field, …) [offset count]]',
    examples: [
      { query: 'level:error | limit 100', text: 'the newest hundred errors' },
      { query: 'level:error | limit 3 by (workload)', text: 'the newest three of each workload', dialect: 'native' },
    ],
  },
})
