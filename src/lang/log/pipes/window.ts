import type { Span } from '../../../base/index.ts'
import { field as schemaField, parseNumber } from '../../../data/index.ts'
import type { FieldRef, TextValue } from '../ast.ts'
import { definePipe } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { Rule, Syntax } from '../syntax.ts'
import type { SortField } from '../stats/call.ts'
import { printSortFields } from '../stats/print.ts'
import { countOf, readBy } from '../rules/lists.ts'
import * as t from '../tokens.ts'
import { named } from './parts.ts'

export interface WindowCall {
  readonly fn: string
  readonly field: FieldRef | undefined
  /** Number of rows between this row and the row that is read. */
  readonly offset: number
  /** Value for rows without a neighbour at that distance. */
  readonly otherwise: TextValue | undefined
  readonly name: FieldRef | undefined
}

/** Pipe that adds values of neighbouring rows, and ranks. */
export interface WindowPipe {
  readonly kind: 'window'
  readonly partitionBy: readonly FieldRef[]
  readonly orderBy: readonly SortField[]
  readonly calls: readonly WindowCall[]
  readonly span: Span
}

declare module '../ast.ts' {
  interface PipeKinds {
    window: WindowPipe
  }
}

const Name = t.keyword('window')
const Order = t.keyword('order')
const Sort = t.keyword('sort')
const As = t.keyword('as')

/** Window functions by name; the value is true if the function takes a field. */
export const windowFunctions: ReadonlyMap<string, boolean> = new Map([
  ['lag', true],
  ['lead', true],
  ['row_number', false],
  ['rank', false],
  ['dense_rank', false],
])

function callRule($: Syntax): Rule<[], WindowCall> {
  return $.RULE('windowCall', (): WindowCall => {
    const word = $.consume(t.Word)
    const values = $.subrule($.rules.values)
    const name = $.option(0, {
      GATE: () => $.isNext(As) || $.isNext(t.Word) || $.isNext(t.Quoted),
      DEF: () => $.subrule($.rules.alias),
    })
    return $.ACTION(() => callOf($, word, values, name))
  })
}

function callOf($: Syntax, word: t.Token, values: readonly TextValue[], name: FieldRef | undefined): WindowCall {
  const fn = word.image.toLowerCase()
  const takesField = windowFunctions.get(fn)
  if (takesField === undefined) {
    return $.fail(
      logDiagnostic('unknown-function', { name: word.image, known: [...windowFunctions.keys()] }, $.tokenSpan(word)),
    )
  }
  const [min, max] = takesField ? [1, 3] : [0, 0]
  if (values.length < min || values.length > max) {
    $.fail(logDiagnostic('wrong-argument-count', { name: fn, min, max, count: values.length }, $.tokenSpan(word)))
  }
  const [field, offset, otherwise] = values
  return {
    fn,
    field: field === undefined ? undefined : { parts: [field.text], span: field.span },
    offset: offset === undefined ? 1 : countOf($, offset),
    otherwise,
    name,
  }
}

export const window = definePipe({
  kind: 'window',
  names: ['window'],
  isNativeOnly: true,
  rule: ($) => {
    const call = callRule($)
    return $.RULE('windowPipe', (): WindowPipe => {
      const start = $.ACTION(() => $.startOffset())
      $.consume(Name)
      const partitionBy = $.option(0, () => $.subrule($.rules.partition))
      const orderBy = $.option(1, () => {
        $.or(0, [{ ALT: () => $.consume(Order) }, { ALT: () => $.consume(Sort) }])
        return readBy($, $.rules.sortFields, $.rules.sortKeys)
      })
      const calls = [$.subrule(call)]
      $.many(0, () => {
        $.consume(t.Comma)
        calls.push($.subrule(call))
      })
      return $.ACTION(() => {
        const seen = new Set<string>()
        for (const { fn, name } of calls) {
          const result = name?.parts[0] ?? fn
          if (seen.has(result))
            $.report(
              logDiagnostic(
                'duplicate-result',
                { name: result, isNamed: name !== undefined },
                name?.span ?? $.spanFrom(start),
              ),
            )
          seen.add(result)
        }
        return {
          kind: 'window',
          partitionBy: partitionBy ?? [],
          orderBy: orderBy ?? [],
          calls,
          span: $.spanFrom(start),
        }
      })
    })
  },
  print: (pipe, printer) => {
    const partition = pipe.partitionBy.length === 0 ? '' : ` partition by (${printer.fields(pipe.partitionBy)})`
    const order = pipe.orderBy.length === 0 ? '' : ` order by (${printSortFields(pipe.orderBy, printer)})`
    const calls = pipe.calls.map(({ fn, field, offset, otherwise, name }) => {
      const args = field === undefined ? [] : [printer.field(field)]
      if (offset !== 1 || otherwise !== undefined) args.push(String(offset))
      if (otherwise !== undefined) args.push(printer.text(otherwise.text))
      return `${fn}(${args.join(', ')})${printer.as(name)}`
    })
    return `window${partition}${order} ${calls.join(', ')}`
  },
  lower: (pipe, input, context) => {
    const origin = context.at(pipe.span)
    const partitionBy = pipe.partitionBy.map(context.name)
    const orderBy = pipe.orderBy.map(({ field, isDescending }) => ({
      field: context.name(field),
      direction: isDescending ? 'desc' : 'asc',
    }))
    const calls = pipe.calls.map(({ fn, field, offset, otherwise, name }) => ({
      fn,
      field: field === undefined ? null : context.name(field),
      offset,
      default: otherwise === undefined ? null : (parseNumber(otherwise.text) ?? otherwise.text),
      into: name === undefined ? fn : context.name(name),
    }))
    const reads = [...partitionBy, ...orderBy.map(({ field }) => field), ...calls.flatMap(({ field }) => field ?? [])]
    return {
      kind: 'table-apply',
      input,
      fn: 'window',
      params: {
        partitionBy,
        orderBy,
        calls: calls.map((call) => ({
          ...call,
          default: typeof call.default === 'bigint' ? String(call.default) : call.default,
        })),
      },
      use: { reads: named(...reads), writes: named(...calls.map(({ into }) => into)), replaces: [] },
      outputs: calls.map(({ fn, into }) => schemaField(into, fn === 'lag' || fn === 'lead' ? 'any' : 'integer')),
      keepsInputFields: true,
      origin,
    }
  },
  doc: {
    summary: 'Values of neighbouring rows and places in an order; the rows and their order stay.',
    form: 'window [partition by (field, …)] [order by (field [desc], …)] lag(field[, count[, default]]) [as name], …',
    examples: [
      {
        query: '* | window partition by (pod) order by (_time) lag(status) as before, row_number() as n',
        text: 'each status beside the one before',
        dialect: 'native',
      },
    ],
  },
})
