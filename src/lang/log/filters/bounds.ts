import { parseNumber } from '../../../data/index.ts'
import type { Filter, OnField, TextValue } from '../ast.ts'
import { defineFilter, type FieldArgument, type FilterRule } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { Printer } from '../print/printer.ts'
import type { Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'
import { startOf } from './shared.ts'

interface Bounds extends OnField {
  readonly min: TextValue
  readonly max: TextValue
}

/** Matches values whose number of characters lies between two bounds, both included. */
export interface LenRangeFilter extends Bounds {
  readonly kind: 'len-range'
}

/** Matches values with `min <= value < max`, compared as strings. */
export interface StringRangeFilter extends Bounds {
  readonly kind: 'string-range'
}

declare module '../ast.ts' {
  interface FilterKinds {
    'len-range': LenRangeFilter
    'string-range': StringRangeFilter
  }
}

function checkLength($: Syntax, value: TextValue): void {
  const number = parseNumber(value.text)
  const isLength = number === Infinity || typeof number === 'bigint' || Number.isInteger(number)
  if (number === undefined || !isLength || number < 0) {
    $.fail(logDiagnostic('bad-number', { text: value.text, what: 'a length' }, value.span))
  }
}

function callRule(kind: 'len-range' | 'string-range', name: string): FilterRule {
  const type = t.keyword(name)
  return ($) =>
    $.RULE(`${kind.replace(/-(.)/, (_, c: string) => c.toUpperCase())}Call`, (field?: FieldArgument): Filter => {
      const start = $.ACTION(() => startOf($, field))
      $.consume(type)
      const values = $.subrule($.rules.values)
      return $.ACTION(() => {
        const where = $.spanFrom(start)
        $.countTerm(where)
        const [min, max] = values
        if (values.length !== 2 || min === undefined || max === undefined) {
          return $.fail(logDiagnostic('wrong-argument-count', { name, min: 2, max: 2, count: values.length }, where))
        }
        if (kind === 'len-range') for (const value of values) checkLength($, value)
        return { kind, min, max, field, span: where }
      })
    })
}

function print(name: string, isText: boolean): (filter: Bounds, printer: Printer) => string {
  return ({ field, min, max }, printer) => {
    const bound = (value: TextValue): string => (isText ? printer.text(value.text) : value.text)
    return `${printer.prefix(field)}${name}(${bound(min)}, ${bound(max)})`
  }
}

export const lenRange = defineFilter({
  kind: 'len-range',
  names: ['len_range'],
  call: callRule('len-range', 'len_range'),
  print: print('len_range', false),
  lower: ({ field, min, max, span }, context) => {
    const args = [parseNumber(min.text) ?? 0, parseNumber(max.text) ?? Infinity]
    return context.test(field, { kind: 'named', name: 'len-range', args }, span)
  },
  doc: {
    summary: 'The value has so many characters, both ends included.',
    form: '[field:]len_range(min, max)',
    examples: [{ query: 'len_range(1000, inf)', text: 'rows with a long text' }],
  },
})

export const stringRange = defineFilter({
  kind: 'string-range',
  names: ['string_range'],
  call: callRule('string-range', 'string_range'),
  print: print('string_range', true),
  lower: ({ field, min, max, span }, context) =>
    context.test(field, { kind: 'string-range', min: min.text, max: max.text }, span),
  doc: {
    summary: 'The value stands from one text to before another in the order of texts.',
    form: '[field:]string_range(min, max)',
    examples: [{ query: 'workload:string_range(a, d)', text: 'workloads that begin with a, b or c' }],
  },
})
