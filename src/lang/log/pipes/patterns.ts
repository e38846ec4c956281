import type { Span } from '../../../base/index.ts'
import { field as schemaField } from '../../../data/index.ts'
import type { FieldRef } from '../ast.ts'
import { definePipe } from '../definition.ts'
import * as t from '../tokens.ts'
import { DEFAULT_COUNT, named, readAt } from './parts.ts'

/**
 * Pipe that lists the templates of a text field, most frequent first. A template is a text with placeholders for its
 * variable parts.
 */
export interface PatternsPipe {
  readonly kind: 'patterns'
  readonly count: number
  /** Field that is read. Default: the main text field. */
  readonly field: FieldRef | undefined
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    patterns: PatternsPipe
  }
}

const Name = t.keyword('patterns')

export const patterns = definePipe({
  kind: 'patterns',
  names: ['patterns'],
  isNativeOnly: true,
  rule: ($) =>
    $.RULE('patternsPipe', (): PatternsPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Name)
      const count = $.option(0, {
        GATE: () => $.isNumberNext(),
        DEF: () => $.subrule($.rules.count),
      })
      const field = readAt($)
      return { kind: 'patterns', count: count ?? DEFAULT_COUNT, field, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => {
    const field = pipe.field === undefined ? '' : ` at ${printer.field(pipe.field)}`
    return `patterns${pipe.count === DEFAULT_COUNT ? '' : ` ${pipe.count}`}${field}`
  },
  lower: (pipe, input, context) => {
    const field = context.name(pipe.field)
    return {
      kind: 'table-apply',
      input,
      fn: 'patterns',
      params: { field, limit: pipe.count },
      use: { reads: named(field), writes: named('pattern', 'hits', 'sample'), replaces: [] },
      outputs: [schemaField('pattern', 'string'), schemaField('hits', 'integer'), schemaField('sample', 'string')],
      keepsInputFields: false,
      origin: context.at(pipe.span),
    }
  },
  doc: {
    summary: 'The templates that texts are made of, most frequent first, each with one text as a sample.',
    form: 'patterns [count] [at field]',
    examples: [
      { query: 'level:error | patterns 20', text: 'the twenty most frequent kinds of errors', dialect: 'native' },
    ],
  },
})
