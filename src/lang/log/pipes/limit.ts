import type { Span } from '../../../base/index.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import * as t from '../tokens.ts'

/** The first rows, in the order they have here. */
export interface LimitPipe {
  readonly kind: 'limit'
  readonly count: number
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    limit: LimitPipe
  }
}

const DEFAULT_COUNT = 10

export const limit = definePipe({
  kind: 'limit',
  names: ['limit', 'head'],
  rule: ($) =>
    $.RULE('limitPipe', (): LimitPipe => {
      const start = $.ACTION(() => $.startOffset())
      const name = $.or(0, [
        { ALT: () => $.consume(0, t.keyword('limit')) },
        { ALT: () => $.consume(0, t.keyword('head')) },
      ])
      const count = $.option(0, () => $.subrule(0, $.rules.count))
      return $.ACTION(() => {
        if (count === undefined && $.isNative) {
          $.fail(logDiagnostic('missing-number', { what: name.image, example: '10' }, $.tokenSpan(name)))
        }
        return { kind: 'limit', count: count ?? DEFAULT_COUNT, span: $.spanFrom(start) }
      })
    }),
  print: (pipe) => `limit ${pipe.count}`,
  lower: (pipe, input, context) => ({
    kind: 'limit',
    input,
    offset: 0,
    limit: pipe.count,
    origin: context.at(pipe.span),
  }),
  doc: {
    summary: 'The first rows.',
    form: 'limit count',
    examples: [{ query: 'level:error | limit 100', text: 'the newest hundred errors' }],
  },
})
