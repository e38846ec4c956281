import type { Filter, OnField, TextValue } from '../ast.ts'
import { defineFilter, type FieldArgument } from '../definition.ts'
import { warnBackspace } from '../rules/regexp.ts'
import * as t from '../tokens.ts'
import { startOf } from './shared.ts'

export type PatternMatchMode = 'any' | 'full' | 'prefix' | 'suffix'

/** Matches a text that contains placeholders: `<N> <UUID> <IP4> <TIME> <DATE> <DATETIME> <W>`. */
export interface PatternMatchFilter extends OnField {
  readonly kind: 'pattern-match'
  readonly mode: PatternMatchMode
  readonly pattern: TextValue
}

declare module '../ast.ts' {
  interface FilterKinds {
    'pattern-match': PatternMatchFilter
  }
}

const modes: ReadonlyMap<string, PatternMatchMode> = new Map([
  ['pattern_match', 'any'],
  ['pattern_match_full', 'full'],
  ['pattern_match_prefix', 'prefix'],
  ['pattern_match_suffix', 'suffix'],
])
const types = [...modes.keys()].map(t.keyword)

export const patternMatch = defineFilter({
  kind: 'pattern-match',
  names: [...modes.keys()],
  call: ($) =>
    $.RULE('patternMatchCall', (field?: FieldArgument): Filter => {
      const start = $.ACTION(() => startOf($, field))
      const name = $.or(
        0,
        types.map((type) => ({ ALT: () => $.consume(type) })),
      )
      $.consume(t.LParen)
      const pattern = $.subrule($.rules.text)
      $.option(0, () => $.consume(t.Comma))
      $.consume(t.RParen)
      return $.ACTION(() => {
        const where = $.spanFrom(start)
        $.countTerm(where)
        $.checkPattern(pattern.text, pattern.span)
        warnBackspace($, pattern, false)
        const mode = modes.get(name.image.toLowerCase()) ?? 'any'
        return { kind: 'pattern-match', mode, pattern, field, span: where }
      })
    }),
  print: (filter, printer) => {
    const name = filter.mode === 'any' ? 'pattern_match' : `pattern_match_${filter.mode}`
    return `${printer.prefix(filter.field)}${name}(${printer.text(filter.pattern.text)})`
  },
  lower: (filter, context) =>
    context.test(
      filter.field,
      { kind: 'named', name: 'pattern-match', args: [filter.pattern.text, filter.mode] },
      filter.span,
    ),
  doc: {
    summary: 'A text with placeholders for numbers, ids, addresses, times and words.',
    form: '[field:]pattern_match[_full|_prefix|_suffix]("text <N> text")',
    examples: [{ query: 'pattern_match("took <N> ms from <IP4>")', text: 'rows of one template' }],
  },
})
