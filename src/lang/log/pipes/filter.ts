import type { Span } from '../../../base/index.ts'
import type { Filter } from '../ast.ts'
import { definePipe } from '../definition.ts'
import * as t from '../tokens.ts'

const FilterWord = t.keyword('filter')
const Where = t.keyword('where')

export interface FilterPipe {
  readonly kind: 'filter'
  readonly filter: Filter
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    filter: FilterPipe
  }
}

export const filter = definePipe({
  kind: 'filter',
  names: ['filter', 'where'],
  rule: ($) =>
    $.RULE('filterPipe', (): FilterPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.or(0, [{ ALT: () => $.consume(FilterWord) }, { ALT: () => $.consume(Where) }])
      const inner = $.subrule($.rules.filter)
      return { kind: 'filter', filter: inner, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => `filter ${printer.filter(pipe.filter)}`,
  lower: (pipe, input, context) => ({
    kind: 'filter',
    input,
    predicate: context.filter(pipe.filter),
    origin: context.at(pipe.span),
  }),
  doc: {
    summary: 'Keeps the rows for which a filter holds.',
    form: 'filter filters',
    examples: [{ query: '* | stats by (workload) count() as n | filter n:>100', text: 'workloads with many rows' }],
  },
})
