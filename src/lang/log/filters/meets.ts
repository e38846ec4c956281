import { invariant } from '../../../base/index.ts'
import { not, type Expr } from '../../../plan/index.ts'
import { operatorNamed, operators } from '../../json/operators/index.ts'
import type { FieldRef, Filter, OnField, TextValue } from '../ast.ts'
import { defineFilter, type FieldArgument } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { listed, noStars } from '../rules/lists.ts'
import * as t from '../tokens.ts'

const Meets = t.keyword('meets')

/**
 * Tests a field with an operator of JSON conditions. The operator has the same meaning on every field, even on time and
 * text fields, which treat other filters specially.
 */
export interface MeetsFilter extends OnField {
  readonly kind: 'meets'
  readonly field: FieldRef
  readonly op: TextValue
  readonly values: readonly TextValue[]
  /** True if the values come from a parameter whose value is a list. */
  readonly isList: boolean
}

declare module '../ast.ts' {
  interface FilterKinds {
    meets: MeetsFilter
  }
}

const known = operators.map(({ name }) => name)

export const meets = defineFilter({
  kind: 'meets',
  names: ['meets'],
  isNativeOnly: true,
  call: ($) =>
    $.RULE('meetsCall', (outer?: FieldArgument): Filter => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Meets)
      $.consume(t.LParen)
      const field = $.subrule($.rules.field)
      $.consume(t.Comma)
      const op = $.subrule($.rules.text)
      const values: TextValue[] = []
      let isList = false
      $.many(0, () => {
        $.consume(t.Comma)
        $.takesLists = true
        const value = $.subrule($.rules.text)
        $.ACTION(() => {
          isList ||= value.parameter?.isList === true
          values.push(...listed(value))
        })
      })
      $.consume(t.RParen)
      return $.ACTION(() => {
        const where = $.spanFrom(start)
        $.countTerm(where)
        noStars($, [field])
        // No field may precede the filter, because `meets(field, …)` contains the field.
        if (outer !== undefined && outer !== $.groupField) {
          $.fail(logDiagnostic('unexpected', { found: 'meets', expected: ['a value'] }, where))
        }
        const operator = operatorNamed(op.text)
        if (operator === undefined) {
          return $.fail(
            logDiagnostic(
              'wrong-argument',
              { name: 'meets', text: op.text, what: `one of ${known.join(', ')}` },
              op.span,
            ),
          )
        }
        const result = operator.request(valueOf(values, isList), field.parts[0])
        if ('expected' in result) {
          const text = values.map((value) => value.text).join(', ')
          return $.fail(logDiagnostic('wrong-argument', { name: 'meets', text, what: result.expected }, where))
        }
        return { kind: 'meets', field, op, values, isList, span: where }
      })
    }),
  print: ({ field, op, values }, printer) =>
    `meets(${[printer.field(field), printer.text(op.text), ...values.map(({ text }) => printer.text(text))].join(', ')})`,
  lower: ({ field, op, values, isList, span }, context) => {
    const origin = context.at(span)
    const operator = operatorNamed(op.text)
    const result = operator?.request(valueOf(values, isList), field.parts[0])
    invariant(
      operator !== undefined && result !== undefined && 'request' in result,
      'the rule lets no other operator and value through',
    )
    const isTextField = field.parts.length === 1 && field.parts[0] === ''
    const pattern = isTextField ? undefined : context.pattern(field)
    const found: Expr = { kind: 'field-filter', field: pattern, request: result.request, origin }
    return operator.isNegated ? not(found, origin) : found
  },
  doc: {
    summary: 'A field under an operator that the conditions of structured queries have.',
    form: 'meets(field, operator[, value, …])',
    examples: [
      {
        query: 'meets(_time, startswith, "2026-01")',
        text: 'rows of one month, by the text of their time',
        dialect: 'native',
      },
    ],
  },
})

function valueOf(values: readonly TextValue[], isList: boolean): string | readonly string[] | undefined {
  const [only] = values
  return values.length <= 1 && !isList ? only?.text : values.map(({ text }) => text)
}
