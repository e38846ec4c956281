import type { OnField } from '../ast.ts'
import { defineFilter } from '../definition.ts'

/** Matches literal parts with unquoted stars between them: `val*`, `*x`, `a*b`, `*`. A star matches any text. */
export interface PatternFilter extends OnField {
  readonly kind: 'pattern'
  readonly parts: readonly string[]
}

declare module '../ast.ts' {
  interface FilterKinds {
    pattern: PatternFilter
  }
}

/** True for the filter `*` without a field, which matches every row. */
export function isMatchAll(filter: { readonly kind: string }): boolean {
  if (filter.kind !== 'pattern') return false
  const { field, parts } = filter as PatternFilter
  return field === undefined && parts.length === 2 && parts[0] === '' && parts[1] === ''
}

export const pattern = defineFilter({
  kind: 'pattern',
  names: [],
  print: (filter, printer) => {
    const { field, parts } = filter
    // `field:*` on the main text field keeps its field name, because without it the filter would print as `*`, which
    // matches every row.
    const isAnyText = field !== undefined && printer.isTextField(field) && parts.every((part) => part === '')
    return (isAnyText ? `${printer.field(field)}:` : printer.prefix(field)) + printer.pattern(parts)
  },
  lower: (filter, context) => ({
    kind: 'field-filter',
    field: filter.field === undefined ? undefined : context.pattern(filter.field),
    request: { kind: 'pattern', dialect: context.dialect, parts: filter.parts },
    origin: context.at(filter.span),
  }),
  doc: {
    summary: 'A value with stars for any text; `*` alone is every row, `field:*` every row that has the field.',
    form: '[field:]text*',
    examples: [
      { query: 'conn*', text: 'rows with a word that begins so' },
      { query: 'workload:check*', text: 'rows whose workload begins so' },
      { query: 'pod:*-7f', text: 'rows whose pod ends so', dialect: 'native' },
      { query: 'trace_id:*', text: 'rows that have a trace' },
    ],
  },
})
