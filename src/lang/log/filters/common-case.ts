import { fold, upperCase } from '../../../data/index.ts'
import type { Filter, OnField, TextValue } from '../ast.ts'
import { defineFilter, type FieldArgument, type FilterRule } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { Printer } from '../print/printer.ts'
import * as t from '../tokens.ts'
import { startOf } from './shared.ts'

interface CommonCase extends OnField {
  readonly phrases: readonly TextValue[]
}

/** Matches a phrase as written, in upper case, in lower case, or with any of its capital letters in lower case. */
export interface ContainsCommonCaseFilter extends CommonCase {
  readonly kind: 'contains-common-case'
}

export interface EqualsCommonCaseFilter extends CommonCase {
  readonly kind: 'equals-common-case'
}

declare module '../ast.ts' {
  interface FilterKinds {
    'contains-common-case': ContainsCommonCaseFilter
    'equals-common-case': EqualsCommonCaseFilter
  }
}

/** Maximum number of capital letters in a phrase. Each capital letter doubles the number of spellings. */
export const MAX_CAPITALS = 10

function capitalsOf(text: string): number {
  let count = 0
  for (const char of text) if (/\p{Lu}/u.test(char)) count++
  return count
}

/** Returns all spellings of the phrases, without duplicates, in code point order. */
export function commonCases(phrases: readonly string[]): readonly string[] {
  const forms = new Set<string>()
  for (const phrase of phrases) {
    let partial = ['']
    for (const char of phrase) {
      const isCapital = /\p{Lu}/u.test(char)
      partial = partial.flatMap((head) => (isCapital ? [head + char, head + fold(char)] : [head + char]))
    }
    for (const form of partial) forms.add(form)
    forms.add(upperCase(phrase))
    forms.add(fold(phrase))
  }
  return [...forms].toSorted()
}

function callRule(kind: 'contains-common-case' | 'equals-common-case', name: string): FilterRule {
  const type = t.keyword(name)
  return ($) =>
    $.RULE(
      name.replaceAll(/_(\w)/g, (_, c: string) => c.toUpperCase()),
      (field?: FieldArgument): Filter => {
        const start = $.ACTION(() => startOf($, field))
        $.consume(type)
        const phrases = $.subrule($.rules.values)
        return $.ACTION(() => {
          const where = $.spanFrom(start)
          $.countTerm(where)
          for (const { text, span } of phrases) {
            if (capitalsOf(text) > MAX_CAPITALS) {
              $.fail(logDiagnostic('bad-pattern', { reason: `it has more than ${MAX_CAPITALS} capital letters` }, span))
            }
          }
          return { kind, phrases, field, span: where }
        })
      },
    )
}

function print(name: string): (filter: CommonCase, printer: Printer) => string {
  return ({ field, phrases }, printer) =>
    `${printer.prefix(field)}${name}(${phrases.map(({ text }) => printer.text(text)).join(',')})`
}

export const containsCommonCase = defineFilter({
  kind: 'contains-common-case',
  names: ['contains_common_case'],
  call: callRule('contains-common-case', 'contains_common_case'),
  print: print('contains_common_case'),
  lower: (filter, context) => {
    const phrases = commonCases(filter.phrases.map(({ text }) => text))
    return context.test(filter.field, { kind: 'contains-any', phrases, isFolded: false }, filter.span)
  },
  doc: {
    summary: 'One of the phrases occurs as written, in upper case, in lower case, or with some capitals lowered.',
    form: '[field:]contains_common_case(text, …)',
    examples: [{ query: 'contains_common_case(NotFound)', text: 'rows with one of the usual spellings' }],
  },
})

export const equalsCommonCase = defineFilter({
  kind: 'equals-common-case',
  names: ['equals_common_case'],
  call: callRule('equals-common-case', 'equals_common_case'),
  print: print('equals_common_case'),
  lower: (filter, context) => {
    const values = commonCases(filter.phrases.map(({ text }) => text))
    return context.test(filter.field, { kind: 'in', values, isFolded: false, isTyped: false }, filter.span)
  },
  doc: {
    summary: 'The value is one of the phrases as written, in upper case, in lower case, or with some capitals lowered.',
    form: '[field:]equals_common_case(text, …)',
    examples: [{ query: 'reason:equals_common_case(NotFound)', text: 'rows with one of the usual spellings' }],
  },
})
