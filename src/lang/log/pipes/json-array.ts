import { parseNumber } from '../../../data/index.ts'
import type { TextValue } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import * as t from '../tokens.ts'
import { applyConversion, printEnds, readBareFrom, readCondition, readInto, type Conversion } from './parts.ts'

/** Pipe that joins the items of a JSON array into one string. */
export interface JsonArrayConcatPipe extends Conversion {
  readonly kind: 'json_array_concat'
  readonly separator: TextValue | undefined
}

/** Pipe that returns one item of a JSON array. */
export interface JsonArrayGetPipe extends Conversion {
  readonly kind: 'json_array_get'
  readonly index: number
}

/** Pipe that splits a text into a JSON array of its words. */
export interface UnpackWordsPipe extends Conversion {
  readonly kind: 'unpack_words'
  readonly isDistinct: boolean
}

declare module '../ast.ts' {
  interface PipeKinds {
    json_array_concat: JsonArrayConcatPipe
    json_array_get: JsonArrayGetPipe
    unpack_words: UnpackWordsPipe
  }
}

const Concat = t.keyword('json_array_concat')
const Get = t.keyword('json_array_get')
const UnpackWords = t.keyword('unpack_words')
const DropDuplicates = t.keyword('drop_duplicates')
const As = t.keyword('as')
const From = t.keyword('from')

export const jsonArrayConcat = definePipe({
  kind: 'json_array_concat',
  names: ['json_array_concat'],
  rule: ($) =>
    $.RULE('jsonArrayConcatPipe', (): JsonArrayConcatPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Concat)
      const condition = readCondition($, false)
      const separator = $.option(0, {
        GATE: () => !$.isNextOneOf([From, As]),
        DEF: () => $.subrule($.rules.text),
      })
      const from = readBareFrom($, [])
      const into = readInto($)
      return { kind: 'json_array_concat', condition, separator, from, into, span: $.spanFrom(start) }
    }),
  print: (pipe, printer) => {
    const separator =
      pipe.separator === undefined || pipe.separator.text === '' ? '' : ` ${printer.text(pipe.separator.text)}`
    return `json_array_concat${printer.condition(pipe.condition)}${separator}${printEnds(pipe, printer)}`
  },
  lower: (pipe, input, context) =>
    applyConversion(
      input,
      pipe,
      { fn: 'json_array_concat', params: { separator: pipe.separator?.text ?? '' }, type: 'string' },
      context,
    ),
  doc: {
    summary: 'Joins the items of a JSON array to one text.',
    form: 'json_array_concat [if (filter)] ["separator"] [from field] [as name]',
    examples: [{ query: '* | json_array_concat ", " from tags as line', text: 'tags as one text' }],
  },
})

export const jsonArrayGet = definePipe({
  kind: 'json_array_get',
  names: ['json_array_get'],
  isNativeOnly: true,
  rule: ($) =>
    $.RULE('jsonArrayGetPipe', (): JsonArrayGetPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Get)
      const condition = readCondition($, false)
      const value = $.subrule($.rules.text)
      const from = readBareFrom($, [])
      const into = readInto($)
      return $.ACTION(() => {
        const index = parseNumber(value.text)
        if (typeof index !== 'number' || !Number.isInteger(index)) {
          return $.fail(logDiagnostic('bad-number', { text: value.text, what: 'a whole number' }, value.span))
        }
        return { kind: 'json_array_get', condition, index, from, into, span: $.spanFrom(start) }
      })
    }),
  print: (pipe, printer) =>
    `json_array_get${printer.condition(pipe.condition)} ${pipe.index < 0 ? `"${pipe.index}"` : pipe.index}${printEnds(pipe, printer)}`,
  lower: (pipe, input, context) =>
    applyConversion(input, pipe, { fn: 'json_array_get', params: { index: pipe.index } }, context),
  doc: {
    summary: 'One item of a JSON array; negative numbers count from its end.',
    form: 'json_array_get [if (filter)] index [from field] [as name]',
    examples: [
      {
        query: '* | split "/" from path as parts | json_array_get 1 from parts as root',
        text: 'the second part',
        dialect: 'native',
      },
    ],
  },
})

export const unpackWords = definePipe({
  kind: 'unpack_words',
  names: ['unpack_words'],
  rule: ($) =>
    $.RULE('unpackWordsPipe', (): UnpackWordsPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(UnpackWords)
      const condition = readCondition($, false)
      const from = readBareFrom($, [DropDuplicates])
      const into = readInto($, [DropDuplicates])
      const distinct = $.option(0, () => $.consume(DropDuplicates))
      return {
        kind: 'unpack_words',
        condition,
        from,
        into,
        isDistinct: distinct !== undefined,
        span: $.spanFrom(start),
      }
    }),
  print: (pipe, printer) =>
    `unpack_words${printer.condition(pipe.condition)}${printEnds(pipe, printer)}${pipe.isDistinct ? ' drop_duplicates' : ''}`,
  lower: (pipe, input, context) =>
    applyConversion(
      input,
      pipe,
      { fn: 'unpack_words', params: { isDistinct: pipe.isDistinct }, type: 'json' },
      context,
    ),
  doc: {
    summary: 'The words of a text as a JSON array.',
    form: 'unpack_words [if (filter)] [from field] [as name] [drop_duplicates]',
    examples: [
      { query: '* | unpack_words as words | unroll by (words) | top 10 by (words)', text: 'the most frequent words' },
    ],
  },
})
