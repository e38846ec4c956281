import type { Span } from '../../../base/index.ts'
import { parseNumber, type Value } from '../../../data/index.ts'
import { call, column, literal } from '../../../plan/index.ts'
import type { FieldRef, TextValue } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { quoteText } from '../print/quote.ts'
import * as t from '../tokens.ts'

const Compute = t.keyword('compute')

/** Pipe that applies a scalar function, under its name in JSON pipelines, to a field and literals. */
export interface ComputePipe {
  readonly kind: 'compute'
  readonly fn: TextValue
  readonly field: FieldRef
  readonly args: readonly TextValue[]
  readonly into: FieldRef
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    compute: ComputePipe
  }
}

/**
 * Converts an argument to a value. As in literal rows, an unquoted argument may be a number, `true`, `false` or `null`.
 */
function valueOf({ text, isQuoted }: TextValue): Value {
  if (isQuoted) return text
  if (text === 'true' || text === 'false') return text === 'true'
  return text === 'null' ? null : (parseNumber(text) ?? text)
}

export const compute = definePipe({
  kind: 'compute',
  names: ['compute'],
  isNativeOnly: true,
  rule: ($) =>
    $.RULE('computePipe', (): ComputePipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Compute)
      const fn = $.subrule($.rules.text)
      $.ACTION(() => $.refuseAsName(fn))
      $.consume(t.LParen)
      const field = $.subrule($.rules.field)
      const args: TextValue[] = []
      $.many(0, () => {
        $.consume(t.Comma)
        args.push($.subrule($.rules.text))
      })
      $.consume(t.RParen)
      const into = $.subrule($.rules.alias)
      return $.ACTION(() => {
        $.countField(field.span)
        return { kind: 'compute', fn, field, args, into, span: $.spanFrom(start) }
      })
    }),
  print: ({ fn, field, args, into }, printer) => {
    const values = args.map(({ text, isQuoted }) => (isQuoted ? quoteText(text) : printer.number(text)))
    return `compute ${printer.text(fn.text)}(${[printer.field(field), ...values].join(', ')})${printer.as(into)}`
  },
  lower: ({ fn, field, args, into, span }, input, context) => {
    const origin = context.at(span)
    const first = column(context.name(field), context.at(field.span))
    const expr = call(fn.text, [first, ...args.map((arg) => literal(valueOf(arg), context.at(arg.span)))], origin)
    return { kind: 'extend', input, assignments: [{ name: context.name(into), expr, type: 'any' }], origin }
  },
  doc: {
    summary: 'One scalar function of a field and literal values, which are texts when quoted.',
    form: 'compute function(field[, value, …]) as name',
    examples: [
      {
        query: '* | compute round(duration_ms, 10) as tens',
        text: 'durations rounded to tens',
        dialect: 'native',
      },
    ],
  },
})
