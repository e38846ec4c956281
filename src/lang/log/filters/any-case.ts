import type { Filter, OnField } from '../ast.ts'
import { defineFilter, type FieldArgument } from '../definition.ts'
import * as t from '../tokens.ts'
import { startOf, starOrNone } from './shared.ts'

/** Matches a word or phrase, ignoring case. With `isPrefix` the match may end inside a word. */
export interface AnyCaseFilter extends OnField {
  readonly kind: 'any-case'
  readonly text: string
  readonly isPrefix: boolean
}

declare module '../ast.ts' {
  interface FilterKinds {
    'any-case': AnyCaseFilter
  }
}

const I = t.keyword('i')

export const anyCase = defineFilter({
  kind: 'any-case',
  names: ['i'],
  call: ($) =>
    $.RULE('anyCaseCall', (field?: FieldArgument): Filter => {
      const start = $.ACTION(() => startOf($, field))
      $.consume(I)
      $.consume(t.LParen)
      const value = $.subrule($.rules.pattern, true)
      $.consume(t.RParen)
      return $.ACTION(() => {
        const where = $.spanFrom(start)
        $.countTerm(where)
        return { kind: 'any-case', ...starOrNone($, value), field, span: where }
      })
    }),
  print: (filter, printer) => {
    const text = filter.text === '' && filter.isPrefix ? '' : printer.text(filter.text)
    return `${printer.prefix(filter.field)}i(${text}${filter.isPrefix ? '*' : ''})`
  },
  lower: (filter, context) =>
    context.test(
      filter.field,
      { kind: filter.isPrefix ? 'phrase-prefix' : 'phrase', text: filter.text, isFolded: true },
      filter.span,
    ),
  doc: {
    summary: 'A word or phrase in any case; with a star a word or phrase that begins so.',
    form: '[field:]i(text)',
    examples: [
      { query: 'i("connection refused")', text: 'rows with the phrase in their text, however it is written' },
      { query: '*:i(pool)', text: 'the same in any field; `*:~"(?i)pool"` also finds a part of a word' },
    ],
  },
})
