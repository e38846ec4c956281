import { toRangeNumber, type ValueTest } from '../../../data/index.ts'
import type { Filter, OnField, TextValue } from '../ast.ts'
import { defineFilter, type FieldArgument } from '../definition.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'
import { startOf } from './shared.ts'

export type CompareOp = '<' | '<=' | '>' | '>='

/**
 * Compares the value with an operand: as numbers if the operand is a number, size, duration, time or IPv4 address, else
 * as strings.
 */
export interface CompareFilter extends OnField {
  readonly kind: 'compare'
  readonly op: CompareOp
  readonly operand: TextValue
}

declare module '../ast.ts' {
  interface FilterKinds {
    compare: CompareFilter
  }
}

function operator($: Syntax): Rule<[field?: FieldArgument], Filter> {
  return $.RULE('compareFilter', (field?: FieldArgument): Filter => {
    const start = $.ACTION(() => startOf($, field))
    const op = $.or(0, [
      { ALT: () => $.consume(t.Less) },
      { ALT: () => $.consume(t.LessEquals) },
      { ALT: () => $.consume(t.Greater) },
      { ALT: () => $.consume(t.GreaterEquals) },
    ])
    const operand = $.subrule($.rules.text)
    return $.ACTION(() => {
      const where = $.spanFrom(start)
      $.countTerm(where)
      return { kind: 'compare', op: op.image as CompareOp, operand, field, span: where }
    })
  })
}

const textOps = { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' } as const

/** Returns the test for a comparison with this operand. */
export function comparisonTest(op: CompareOp, operand: string): ValueTest {
  const number = toRangeNumber(operand)
  if (number === undefined || Number.isNaN(number)) return { kind: 'compare-text', op: textOps[op], text: operand }
  const isUpper = op === '<' || op === '<='
  const isIncluded = op === '<=' || op === '>='
  return {
    kind: 'range',
    min: isUpper ? -Infinity : number,
    max: isUpper ? number : Infinity,
    isMinIncluded: isUpper || isIncluded,
    isMaxIncluded: !isUpper || isIncluded,
  }
}

export const compare = defineFilter({
  kind: 'compare',
  names: [],
  operator,
  print: (filter, printer) => printer.prefix(filter.field) + filter.op + printer.number(filter.operand.text),
  lower: (filter, context) => context.test(filter.field, comparisonTest(filter.op, filter.operand.text), filter.span),
  doc: {
    summary: 'A comparison by number, size, duration, time or IPv4 address; by text when the operand is none of these.',
    form: '[field:]>value',
    examples: [
      { query: 'duration_ms:>500', text: 'rows that took longer' },
      { query: 'response_size:<=10KiB', text: 'rows with small answers' },
      { query: 'status >= 500', text: 'the same without a colon', dialect: 'native' },
    ],
  },
})
