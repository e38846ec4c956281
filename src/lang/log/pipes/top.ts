import type { Span } from '../../../base/index.ts'
import { column, countRows } from '../../../plan/index.ts'
import type { FieldRef } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { refuseZero } from '../rules/lists.ts'
import * as t from '../tokens.ts'
import { DEFAULT_COUNT } from './parts.ts'
import { freeName } from './uniq.ts'

/** Pipe that lists the groups with the most rows. */
export interface TopPipe {
  readonly kind: 'top'
  readonly count: number
  readonly by: readonly FieldRef[]
  readonly hits: FieldRef | undefined
  readonly rank: FieldRef | undefined
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    top: TopPipe
  }
}

const Name = t.keyword('top')
const By = t.keyword('by')
const Hits = t.keyword('hits')
const clauses = [Hits, t.keyword('rank')]

export const top = definePipe({
  kind: 'top',
  names: ['top'],
  rule: ($) =>
    $.RULE('topPipe', (): TopPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Name)
      const count = $.option(0, {
        GATE: () => $.isNumberNext() && !$.isNext(By),
        DEF: () => $.subrule($.rules.count),
      })
      $.ACTION(() => refuseZero($, count))
      const by = $.subrule($.rules.byFields, clauses)
      let hits: FieldRef | undefined
      let rank: FieldRef | undefined
      $.many(0, () => {
        const word = $.ACTION(() => $.next())
        const isRepeated = $.isNext(Hits) ? hits !== undefined : rank !== undefined
        $.or(0, [
          {
            ALT: () => {
              $.consume(Hits)
              hits = $.subrule($.rules.alias)
            },
          },
          {
            ALT: () => {
              rank = $.subrule($.rules.rank)
            },
          },
        ])
        $.ACTION(() => {
          if (isRepeated)
            $.fail(logDiagnostic('repeated-clause', { name: word.image.toLowerCase() }, $.tokenSpan(word)))
        })
      })
      return { kind: 'top', count: count ?? DEFAULT_COUNT, by, hits, rank, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => {
    const count = pipe.count === DEFAULT_COUNT ? '' : ` ${pipe.count}`
    const hits = pipe.hits === undefined ? '' : ` hits${printer.as(pipe.hits)}`
    const rank = pipe.rank === undefined ? '' : ` rank${pipe.rank.parts[0] === 'rank' ? '' : printer.as(pipe.rank)}`
    return `top${count} by (${printer.fields(pipe.by)})${hits}${rank}`
  },
  lower: (pipe, input, context) => {
    const origin = context.at(pipe.span)
    const names = pipe.by.map(context.name)
    const hits = pipe.hits === undefined ? freeName('hits', names) : context.name(pipe.hits)
    return {
      kind: 'sort',
      // The aggregate is ordered by its keys, and the sort is stable, so groups with equal counts stay in key order.
      input: {
        kind: 'aggregate',
        input,
        keys: [...new Set(names)].map((name) => ({ name, expr: column(name, origin), type: 'any' as const })),
        aggregates: [{ name: hits, call: countRows(origin), type: 'integer' }],
        origin,
      },
      keys: [{ expr: column(hits, origin), direction: 'desc' }],
      offset: 0,
      limit: pipe.count,
      partitionBy: [],
      rankName: pipe.rank === undefined ? undefined : context.name(pipe.rank),
      origin,
    }
  },
  doc: {
    summary: 'The groups with the most rows.',
    form: 'top [count] by (field, …) [hits as name] [rank [as name]]',
    examples: [{ query: 'level:error | top 5 by (workload)', text: 'where most errors come from' }],
  },
})
