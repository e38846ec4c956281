import type { Filter, OnField } from '../ast.ts'
import { defineFilter, type FieldArgument } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { isOneFieldQuery } from '../one-field-query.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'
import type { ListArgument } from './in.ts'
import { startOf } from './shared.ts'
import { hasBarBeforeClose } from './subquery-gate.ts'

const In = t.keyword('in')

/** Matches rows of the streams with these ids. */
export interface StreamIdFilter extends OnField {
  readonly kind: 'stream-id'
  readonly list: ListArgument
}

declare module '../ast.ts' {
  interface FilterKinds {
    'stream-id': StreamIdFilter
  }
}

function own($: Syntax): Rule<[field?: FieldArgument], Filter> {
  return $.RULE('streamIdFilter', (field?: FieldArgument): Filter => {
    const start = $.ACTION(() => startOf($, field))
    const list = $.or(0, [
      {
        GATE: () => $.isNext(In),
        ALT: (): ListArgument => {
          $.consume(In)
          return $.or(1, [
            {
              GATE: () => hasBarBeforeClose($),
              ALT: (): ListArgument => {
                const query = $.subrule($.rules.parenQuery)
                $.ACTION(() => {
                  if (!query.isIncomplete && !isOneFieldQuery(query)) {
                    $.report(logDiagnostic('subquery-fields', {}, query.span))
                  }
                })
                return { kind: 'query', query }
              },
            },
            {
              GATE: () => $.isNext(t.Star, 2),
              ALT: (): ListArgument => {
                $.consume(t.LParen)
                $.consume(t.Star)
                $.consume(t.RParen)
                return { kind: 'all' }
              },
            },
            { ALT: (): ListArgument => ({ kind: 'values', values: $.subrule($.rules.values) }) },
          ])
        },
      },
      { ALT: (): ListArgument => ({ kind: 'values', values: [$.subrule($.rules.text)] }) },
    ])
    return $.ACTION(() => {
      const where = $.spanFrom(start)
      $.countTerm(where)
      return { kind: 'stream-id', list, field, span: where }
    })
  })
}

export const streamId = defineFilter({
  kind: 'stream-id',
  names: [],
  own,
  print: ({ field, list }, printer) => {
    const prefix = printer.prefix(field)
    if (list.kind === 'query') return `${prefix}in(${printer.subquery(list.query)})`
    if (list.kind === 'all') return `${prefix}in(*)`
    const texts = list.values.map((value) => printer.text(value.text))
    return texts.length === 1 ? prefix + texts[0] : `${prefix}in(${texts.join(',')})`
  },
  lower: ({ field, list, span }, context) => {
    const origin = context.at(span)
    if (list.kind === 'all') return { kind: 'literal', value: true, origin }
    const arg = { kind: 'column' as const, name: context.name(field), origin }
    if (list.kind === 'query') {
      const plan = context.query(list.query)
      const listsMissing = context.dialect === 'logsql'
      return { kind: 'in-subquery', arg, plan, mode: 'in', isFolded: false, listsMissing, origin }
    }
    const values = list.values.map((value) => value.text)
    return { kind: 'test', arg, test: { kind: 'in', values, isFolded: false, isTyped: false }, origin }
  },
  doc: {
    summary: 'Rows of streams, by their ids.',
    form: '_stream_id:id | _stream_id:in(id, …)',
    examples: [
      { query: '_stream_id:in(level:error | fields _stream_id)', text: 'all rows of the streams that have an error' },
    ],
  },
})
