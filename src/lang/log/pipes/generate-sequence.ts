import type { Span } from '../../../base/index.ts'
import { field as schemaField } from '../../../data/index.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import * as t from '../tokens.ts'
import { named } from './parts.ts'

/** Pipe that replaces all rows by rows that contain the numbers 0, 1, 2, … */
export interface GenerateSequencePipe {
  readonly kind: 'generate_sequence'
  readonly count: number
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    generate_sequence: GenerateSequencePipe
  }
}

const GenerateSequence = t.keyword('generate_sequence')

export const generateSequence = definePipe({
  kind: 'generate_sequence',
  names: ['generate_sequence'],
  rule: ($) =>
    $.RULE('generateSequencePipe', (): GenerateSequencePipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(GenerateSequence)
      const count = $.subrule($.rules.count)
      return $.ACTION(() => {
        const where = $.spanFrom(start)
        if (count === 0) $.fail(logDiagnostic('bad-number', { text: '0', what: 'a whole number above 0' }, where))
        return { kind: 'generate_sequence', count, span: where }
      })
    }),
  print: (pipe) => `generate_sequence ${pipe.count}`,
  lower: (pipe, input, context) => {
    const into = context.name(undefined)
    return {
      kind: 'table-apply',
      input,
      fn: 'generate_sequence',
      params: { count: pipe.count, into },
      use: { reads: [], writes: named(into), replaces: [] },
      outputs: [schemaField(into, 'integer')],
      keepsInputFields: false,
      origin: context.at(pipe.span),
    }
  },
  doc: {
    summary: 'Numbers from 0 in place of the rows.',
    form: 'generate_sequence count',
    examples: [{ query: '* | generate_sequence 5', text: 'five rows' }],
  },
})
