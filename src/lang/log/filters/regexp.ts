import type { Filter, OnField, TextValue } from '../ast.ts'
import { defineFilter, type FieldArgument } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { checkRegexp } from '../rules/regexp.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'
import { startOf } from './shared.ts'

const Re = t.keyword('re')

/** Matches a regular expression (RE2 syntax) anywhere in the value, case-sensitively. */
export interface RegexpFilter extends OnField {
  readonly kind: 'regexp'
  readonly pattern: string
}

declare module '../ast.ts' {
  interface FilterKinds {
    regexp: RegexpFilter
  }
}

function finish($: Syntax, field: FieldArgument, start: number, value: TextValue, isNegated: boolean): Filter {
  return $.ACTION(() => {
    const where = $.spanFrom(start)
    $.countTerm(where)
    if (!value.isQuoted && /^[-:]/.test(value.text)) {
      $.fail(
        logDiagnostic('unexpected', { found: value.text.charAt(0), expected: ['word', 'quoted text'] }, value.span),
      )
    }
    checkRegexp($, value)
    const filter: RegexpFilter = { kind: 'regexp', pattern: value.text, field, span: where }
    return isNegated ? { kind: 'not', arg: filter, field: undefined, span: where } : filter
  })
}

function operator($: Syntax): Rule<[field?: FieldArgument], Filter> {
  return $.RULE('regexpFilter', (field?: FieldArgument): Filter => {
    const start = $.ACTION(() => startOf($, field))
    const mark = $.or(0, [{ ALT: () => $.consume(t.Tilde) }, { ALT: () => $.consume(t.NotTilde) }])
    const value = $.subrule($.rules.text)
    return finish($, field, start, value, mark.tokenType === t.NotTilde)
  })
}

function call($: Syntax): Rule<[field?: FieldArgument], Filter> {
  return $.RULE('regexpCall', (field?: FieldArgument): Filter => {
    const start = $.ACTION(() => startOf($, field))
    $.consume(Re)
    $.consume(t.LParen)
    const value = $.subrule($.rules.text)
    $.consume(t.RParen)
    return finish($, field, start, value, false)
  })
}

export const regexp = defineFilter({
  kind: 'regexp',
  names: ['re'],
  operator,
  call,
  print: (filter, printer) => `${printer.prefix(filter.field)}~${printer.text(filter.pattern)}`,
  lower: (filter, context) =>
    context.test(filter.field, { kind: 'regexp', pattern: filter.pattern, isFolded: false }, filter.span),
  doc: {
    summary: 'A regular expression in RE2 syntax that matches anywhere in the value, case-sensitive.',
    form: '[field:]~"pattern"',
    examples: [
      { query: 'content:~"retry [45] of 5"', text: 'rows whose text matches' },
      { query: 'pod:!~"^canary-"', text: 'rows whose pod does not match' },
    ],
  },
})
