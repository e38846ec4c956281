import type { Span } from '../../../base/index.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import * as t from '../tokens.ts'

const Offset = t.keyword('offset')
const Skip = t.keyword('skip')

/** Pipe that skips the first rows in their current order. */
export interface OffsetPipe {
  readonly kind: 'offset'
  readonly count: number
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    offset: OffsetPipe
  }
}

export const offset = definePipe({
  kind: 'offset',
  names: ['offset', 'skip'],
  rule: ($) =>
    $.RULE('offsetPipe', (): OffsetPipe => {
      const start = $.ACTION(() => $.startOffset())
      const name = $.or(0, [{ ALT: () => $.consume(Offset) }, { ALT: () => $.consume(Skip) }])
      const count = $.option(0, () => $.subrule($.rules.count))
      return $.ACTION(() => {
        if (count === undefined) {
          return $.fail(logDiagnostic('missing-number', { what: name.image, example: '10' }, $.tokenSpan(name)))
        }
        return { kind: 'offset', count, span: $.spanFrom(start) }
      })
    }),
  print: (pipe) => `offset ${pipe.count}`,
  lower: (pipe, input, context) => ({
    kind: 'limit',
    input,
    offset: pipe.count,
    limit: undefined,
    origin: context.at(pipe.span),
  }),
  doc: {
    summary: 'Leaves out the first rows.',
    form: 'offset count',
    examples: [{ query: '* | sort by (_time desc) | offset 20 | limit 10', text: 'the third page of ten' }],
  },
})
