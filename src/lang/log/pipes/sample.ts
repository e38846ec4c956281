import type { Span } from '../../../base/index.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import * as t from '../tokens.ts'

/** Pipe that keeps one in N rows, or at most N rows, chosen by a hash of the row's values. */
export interface SamplePipe {
  readonly kind: 'sample'
  readonly mode: 'one-in' | 'rows'
  readonly count: number
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    sample: SamplePipe
  }
}

const Name = t.keyword('sample')
const Rows = t.keyword('rows')

export const sample = definePipe({
  kind: 'sample',
  names: ['sample'],
  rule: ($) =>
    $.RULE('samplePipe', (): SamplePipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Name)
      const count = $.subrule($.rules.count)
      const rows = $.option(0, { GATE: () => $.isNative, DEF: () => $.consume(Rows) })
      return $.ACTION(() => {
        const where = $.spanFrom(start)
        if (count === 0 && rows === undefined) {
          $.fail(logDiagnostic('bad-number', { text: '0', what: 'a whole number above 0' }, where))
        }
        return { kind: 'sample', mode: rows === undefined ? 'one-in' : 'rows', count, span: where }
      })
    }),
  print: (pipe) => `sample ${pipe.count}${pipe.mode === 'rows' ? ' rows' : ''}`,
  lower: (pipe, input, context) => ({
    kind: 'sample',
    input,
    mode: pipe.mode,
    n: pipe.count,
    origin: context.at(pipe.span),
  }),
  doc: {
    summary: 'One row in so many; with `rows` at most so many rows. The same rows each time.',
    form: 'sample count [rows]',
    examples: [
      { query: '* | sample 100', text: 'about one percent' },
      { query: 'level:error | sample 20 rows', text: 'twenty errors', dialect: 'native' },
    ],
  },
})
