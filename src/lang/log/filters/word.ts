import type { OnField } from '../ast.ts'
import { defineFilter } from '../definition.ts'

/** Matches a word, phrase or value as written; the exact meaning depends on dialect and field. */
export interface WordFilter extends OnField {
  readonly kind: 'word'
  readonly text: string
  readonly isQuoted: boolean
}

declare module '../ast.ts' {
  interface FilterKinds {
    word: WordFilter
  }
}

export const word = defineFilter({
  kind: 'word',
  names: [],
  print: (filter, printer) => {
    // After a field, a star in quotes means "any value". `text` adds the quotes.
    return printer.prefix(filter.field) + printer.text(filter.text)
  },
  lower: (filter, context) => ({
    kind: 'field-filter',
    field: filter.field === undefined ? undefined : context.pattern(filter.field),
    // Quotes make a difference only for a star: `field:"*"` matches any value.
    request: { kind: 'value', dialect: context.dialect, text: filter.text, isQuoted: filter.text === '*' },
    origin: context.at(filter.span),
  }),
  doc: {
    summary: 'A word or phrase of the text field, or the value of a field.',
    form: '[field:]value',
    examples: [
      { query: 'timeout', text: 'rows whose text has the word' },
      { query: '"connection reset by peer"', text: 'rows whose text has the phrase' },
      { query: 'level:error', text: 'rows of one level' },
      { query: 'host:""', text: 'rows without a host' },
      {
        query: '*:4bf92f3577b34da6',
        text: 'rows with the word in any field, the text among them: an id that is a field in some rows and in the text of others',
      },
    ],
  },
})
