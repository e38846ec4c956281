import type { TextValue } from '../ast.ts'
import { definePipe } from '../definition.ts'
import * as t from '../tokens.ts'
import {
  applyConversion,
  printEnds,
  readBareFrom,
  readCondition,
  readInto,
  readPipeText,
  type Conversion,
} from './parts.ts'

/** Pipe that splits a text into a JSON array. */
export interface SplitPipe extends Conversion {
  readonly kind: 'split'
  readonly separator: TextValue
}

declare module '../ast.ts' {
  interface PipeKinds {
    split: SplitPipe
  }
}

const Split = t.keyword('split')

export const split = definePipe({
  kind: 'split',
  names: ['split'],
  rule: ($) =>
    $.RULE('splitPipe', (): SplitPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Split)
      const condition = readCondition($, false)
      const separator = readPipeText($, 'split', 'a separator', '","')
      const from = readBareFrom($, [])
      const into = readInto($)
      return { kind: 'split', condition, separator, from, into, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) =>
    `split${printer.condition(pipe.condition)} ${printer.text(pipe.separator.text)}${printEnds(pipe, printer)}`,
  lower: (pipe, input, context) =>
    applyConversion(input, pipe, { fn: 'split', params: { separator: pipe.separator.text }, type: 'json' }, context),
  doc: {
    summary: 'Cuts a text at a separator into a JSON array; without one into its characters.',
    form: 'split [if (filter)] "separator" [from field] [as name]',
    examples: [{ query: '* | split "/" from path as parts', text: 'the parts of a path' }],
  },
})
