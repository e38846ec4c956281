import type { Origin } from '../../../base/index.ts'
import type { Expr } from '../../../plan/index.ts'
import type { FieldRef, Filter, OnField, Query, TextValue } from '../ast.ts'
import { defineFilter, type FieldArgument, type FilterRule } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { LowerContext } from '../lower-context.ts'
import type { Printer } from '../print/printer.ts'
import { isOneFieldQuery } from '../one-field-query.ts'
import * as t from '../tokens.ts'
import { startOf } from './shared.ts'
import { hasBarBeforeClose } from './subquery-gate.ts'

/** Argument of `in` and similar filters: a list of values, `*` for any value, or a query with one column. */
export type ListArgument =
  | { readonly kind: 'values'; readonly values: readonly TextValue[] }
  | { readonly kind: 'all' }
  | { readonly kind: 'query'; readonly query: Query }

interface ListFilter extends OnField {
  readonly list: ListArgument
}

export interface InFilter extends ListFilter {
  readonly kind: 'in'
}

export interface ContainsAllFilter extends ListFilter {
  readonly kind: 'contains-all'
}

export interface ContainsAnyFilter extends ListFilter {
  readonly kind: 'contains-any'
}

declare module '../ast.ts' {
  interface FilterKinds {
    in: InFilter
    'contains-all': ContainsAllFilter
    'contains-any': ContainsAnyFilter
  }
}

function callRule(kind: ListFilterKind, name: string): FilterRule {
  const type = t.keyword(name)
  return ($) =>
    $.RULE(
      `${name}Call`.replaceAll(/_(\w)/g, (_, c: string) => c.toUpperCase()),
      (field?: FieldArgument): Filter => {
        const start = $.ACTION(() => startOf($, field))
        $.consume(type)
        const list = $.or(0, [
          {
            GATE: () => hasBarBeforeClose($),
            ALT: (): ListArgument => {
              const query = $.subrule($.rules.parenQuery)
              $.ACTION(() => {
                if (!query.isIncomplete && !isOneFieldQuery(query))
                  $.report(logDiagnostic('subquery-fields', {}, query.span))
              })
              return { kind: 'query', query }
            },
          },
          {
            GATE: () => $.isNext(t.Star, 2) && $.isNext(t.RParen, 3),
            ALT: (): ListArgument => {
              $.consume(t.LParen)
              $.consume(t.Star)
              $.consume(t.RParen)
              return { kind: 'all' }
            },
          },
          { ALT: (): ListArgument => ({ kind: 'values', values: $.subrule($.rules.values) }) },
        ])
        return $.ACTION(() => {
          const where = $.spanFrom(start)
          $.countTerm(where)
          return { kind, list, field, span: where }
        })
      },
    )
}

type ListFilterKind = 'in' | 'contains-all' | 'contains-any'

function printer(name: string): (filter: ListFilter, printer: Printer) => string {
  return ({ list, field }, p) => {
    const inner =
      list.kind === 'query'
        ? p.subquery(list.query)
        : list.kind === 'all'
          ? '*'
          : list.values.map((value) => p.text(value.text)).join(',')
    return `${p.prefix(field)}${name}(${inner})`
  }
}

/** Returns the expression for a field, or for all fields that match its pattern. */
function argument(field: FieldRef | undefined, context: LowerContext, origin: Origin): Expr {
  if (field === undefined || field.parts.length === 1) return { kind: 'column', name: context.name(field), origin }
  return { kind: 'any-field', fields: context.pattern(field), except: [], test: { kind: 'empty' }, origin }
}

function lowering(mode: ListFilterKind): (filter: ListFilter, context: LowerContext) => Expr {
  return ({ list, field, span }, context) => {
    const isFolded = context.dialect === 'native'
    const origin = context.at(span)
    if (list.kind === 'all') return { kind: 'literal', value: true, origin }
    if (list.kind === 'query') {
      const plan = context.query(list.query)
      return {
        kind: 'in-subquery',
        arg: argument(field, context, origin),
        plan,
        mode,
        isFolded,
        listsMissing: !isFolded,
        origin,
      }
    }
    const texts = list.values.map((value) => value.text)
    if (mode === 'in') {
      return context.test(field, { kind: 'in', values: texts, isFolded, isTyped: isFolded }, span, true)
    }
    return context.test(field, { kind: mode, phrases: texts, isFolded }, span)
  }
}

export const inList = defineFilter({
  kind: 'in',
  names: ['in'],
  call: callRule('in', 'in'),
  print: printer('in'),
  lower: lowering('in'),
  doc: {
    summary: 'The whole value is one of the list, or of the one column that a query gives.',
    form: '[field:]in(value, …)',
    examples: [
      { query: 'level:in(error, fatal)', text: 'rows of two levels' },
      { query: 'trace_id:in(level:error | fields trace_id)', text: 'all rows of the traces that have an error' },
    ],
  },
})

export const containsAll = defineFilter({
  kind: 'contains-all',
  names: ['contains_all'],
  call: callRule('contains-all', 'contains_all'),
  print: printer('contains_all'),
  lower: lowering('contains-all'),
  doc: {
    summary: 'Every word or phrase of the list occurs.',
    form: '[field:]contains_all(text, …)',
    examples: [{ query: 'contains_all(payment, "card declined")', text: 'rows with both' }],
  },
})

export const containsAny = defineFilter({
  kind: 'contains-any',
  names: ['contains_any'],
  call: callRule('contains-any', 'contains_any'),
  print: printer('contains_any'),
  lower: lowering('contains-any'),
  doc: {
    summary: 'At least one word or phrase of the list occurs.',
    form: '[field:]contains_any(text, …)',
    examples: [{ query: 'contains_any(timeout, refused)', text: 'rows with one of them' }],
  },
})
