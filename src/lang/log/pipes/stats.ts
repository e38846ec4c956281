import type { Span } from '../../../base/index.ts'
import { definePipe } from '../definition.ts'
import { lowerStats } from '../stats/lower.ts'
import { printStats } from '../stats/print.ts'
import type { StatsBody } from '../stats/call.ts'
import * as t from '../tokens.ts'

const Stats = t.keyword('stats')

export interface StatsPipe extends StatsBody {
  readonly kind: 'stats'
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    stats: StatsPipe
  }
}

export const stats = definePipe({
  kind: 'stats',
  names: ['stats'],
  rule: ($) =>
    $.RULE('statsPipe', (): StatsPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Stats)
      const body = $.subrule($.rules.statsBody)
      return { kind: 'stats', ...body, span: $.spanFrom(start) }
    }),
  print: printStats,
  lower: (pipe, input, context) => lowerStats(pipe, input, context.at(pipe.span), context),
  doc: {
    summary: 'Groups rows and computes functions over each group.',
    form: 'stats [by (field[:bucket], …)] function(…) [if (filter)] [as name], …',
    examples: [
      { query: '* | stats count()', text: 'the number of rows' },
      {
        query: '* | stats by (workload) count() as n, count() if (level:error) as errors',
        text: 'rows and errors of each workload',
      },
      { query: '* | stats by (_time:5m) quantile(0.99, duration_ms) as p99', text: 'a percentile over time' },
    ],
  },
})
