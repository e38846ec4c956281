import { parseDurationNs } from '../../../base/index.ts'
import { parseNumber } from '../../../data/index.ts'
import type { FieldRef, Filter, Query, TextValue } from '../ast.ts'
import { logDiagnostic } from '../diagnostics.ts'
import type { Rule, Syntax } from '../syntax.ts'
import { isFromTable, registerFromTable } from './from-table.ts'
import * as t from '../tokens.ts'
import { expectOperand } from './filter-hints.ts'

const As = t.keyword('as')
const If = t.keyword('if')
const By = t.keyword('by')

/** Registers the rule of a list `(item, …)`, possibly empty or with a trailing comma. */
export function registerList<T>($: Syntax, name: string, item: Rule<[], T>): Rule<[], readonly T[]> {
  return $.RULE(name, (): readonly T[] => {
    const items: T[] = []
    $.consume(t.LParen)
    $.option(0, () => {
      items.push($.subrule(item))
      $.many(0, {
        GATE: () => !$.isNext(t.RParen, 2),
        DEF: () => {
          $.consume(t.Comma)
          items.push($.subrule(item))
        },
      })
      $.option(1, () => $.consume(t.Comma))
    })
    $.consume(t.RParen)
    return items
  })
}

/**
 * Registers the rule of the list after `by`: in parentheses, or at least one item without parentheses. If `endsAtCall`,
 * a comma followed by `name(` ends the list, because `name(` begins a call.
 */
export function registerKeys<T>(
  $: Syntax,
  name: string,
  list: Rule<[], readonly T[]>,
  item: Rule<[], T>,
  endsAtCall = true,
): Rule<[], readonly T[]> {
  return $.RULE(name, (): readonly T[] => {
    return $.or<readonly T[]>(0, [
      { ALT: () => $.subrule(list) },
      {
        ALT: () => {
          const items = [$.subrule(item)]
          $.many(0, {
            GATE: () => !(endsAtCall && $.isNext(t.Word, 2) && $.isNext(t.LParen, 3)),
            DEF: () => {
              $.consume(t.Comma)
              items.push($.subrule(item))
            },
          })
          return items
        },
      },
    ])
  })
}

/** Parses `[by] (item, …)` or `by item, …`; `undefined` if the next token begins neither form. */
export function readBy<T>(
  $: Syntax,
  list: Rule<[], readonly T[]>,
  keys: Rule<[], readonly T[]>,
): readonly T[] | undefined {
  return $.option(20, () =>
    $.or<readonly T[]>(20, [
      {
        ALT: () => {
          $.consume(By)
          return $.subrule(keys)
        },
      },
      { ALT: () => $.subrule(list) },
    ]),
  )
}

/** Registers the rules of lists, names, counts and durations that most pipes use. */
export function registerLists($: Syntax): void {
  const { rules } = $

  const listedField = $.RULE('listedField', (): FieldRef => {
    const field = $.subrule(rules.fieldPattern)
    $.ACTION(() => $.countField(field.span))
    return field
  })

  rules.fieldPatterns = $.RULE('fieldPatterns', (): readonly FieldRef[] => {
    const fields = [$.subrule(listedField)]
    $.many(0, () => {
      $.consume(t.Comma)
      fields.push($.subrule(listedField))
    })
    return fields
  })

  rules.parenFieldPatterns = registerList($, 'parenFieldPatterns', listedField)
  rules.keyFields = registerKeys($, 'keyFields', rules.parenFieldPatterns, listedField)

  rules.parenFields = $.RULE('parenFields', (): readonly FieldRef[] => {
    const fields = $.subrule(rules.parenFieldPatterns)
    $.ACTION(() => noStars($, fields))
    return fields
  })

  rules.alias = $.RULE('alias', (): FieldRef => {
    $.option(0, () => $.consume(As))
    return $.subrule(rules.field)
  })

  rules.condition = $.RULE('condition', (): Filter => {
    $.consume(If)
    return $.subrule(rules.parenFilter, true)
  })

  rules.parenFilter = $.RULE('parenFilter', (isCondition?: boolean): Filter => {
    const start = $.ACTION(() => $.startOffset())
    $.consume(t.LParen)
    const filter = $.option(1, {
      GATE: () => $.isNative || isCondition !== true || !$.isNext(t.RParen),
      DEF: () => $.nested(() => withoutGroupField($, () => $.subrule(rules.filter))),
    })
    $.option(0, { GATE: () => !$.isNative, DEF: () => $.consume(t.Semicolon) })
    $.ACTION(() => {
      if (filter === undefined && ($.isNative || isCondition !== true)) expectOperand($)
    })
    $.consume(t.RParen)
    // In LogsQL an empty condition matches every row.
    return filter ?? { kind: 'pattern', parts: ['', ''], field: undefined, span: $.spanFrom(start) }
  })

  const fromTable = registerFromTable($)

  rules.parenQuery = $.RULE('parenQuery', (): Query => {
    $.consume(t.LParen)
    const table = $.option(0, {
      GATE: () => isFromTable($),
      DEF: () => $.subrule(fromTable),
    })
    $.ACTION(() => ($.followsTable = table !== undefined))
    const query = $.nested(() => withoutGroupField($, () => $.subrule(rules.query)))
    $.consume(t.RParen)
    if (table === undefined) return query
    return $.ACTION(() => {
      const again = query.options.find(({ name }) => name === table.name)
      if (again !== undefined) $.report(logDiagnostic('second-table', {}, again.span))
      const span = { start: table.span.start, end: Math.max(table.span.end, query.span.end) }
      return { ...query, options: [table, ...query.options], span }
    })
  })

  rules.values = $.RULE('values', (): readonly TextValue[] => {
    const values: TextValue[] = []
    $.consume(t.LParen)
    $.option(0, () => {
      $.takesLists = true
      values.push(...listed($.subrule(rules.text)))
      $.many(0, {
        GATE: () => !$.isNext(t.RParen, 2),
        DEF: () => {
          $.consume(t.Comma)
          $.takesLists = true
          values.push(...listed($.subrule(rules.text)))
        },
      })
      $.option(1, () => $.consume(t.Comma))
    })
    $.consume(t.RParen)
    return values
  })

  rules.count = $.RULE('count', (): number => {
    const value = $.subrule(rules.text)
    return $.ACTION(() => countOf($, value))
  })

  rules.duration = $.RULE('duration', (): TextValue => {
    const value = $.subrule(rules.text)
    return $.ACTION(() => {
      if (parseDurationNs(value.text) === undefined)
        $.fail(logDiagnostic('bad-duration', { text: value.text }, value.span))
      return value
    })
  })
}

/** Returns the values that a written value represents: all items of a list parameter, else the value itself. */
export function listed(value: TextValue): readonly TextValue[] {
  const { parameter } = value
  return parameter?.isList === true ? parameter.texts.map((text) => ({ ...value, text })) : [value]
}

/** Parses a subquery or condition inside `field:( … )`, whose filters do not apply to that field. */
export function withoutGroupField<R>($: Syntax, read: () => R): R {
  const outer = $.groupField
  $.groupField = undefined
  try {
    return read()
  } finally {
    $.groupField = outer
  }
}

export function noStars($: Syntax, fields: readonly FieldRef[]): void {
  for (const field of fields) {
    if (field.parts.length > 1) $.fail(logDiagnostic('field-wildcard', { text: field.parts.join('*') }, field.span))
  }
}

/** Parses an integer from 0 to 2^63-1. Values above 2^53 are reduced to 2^53. */
export function countOf($: Syntax, value: TextValue): number {
  const number = parseNumber(value.text)
  const isWhole = typeof number === 'bigint' || (number !== undefined && Number.isInteger(number))
  if (value.parameter?.isText === true || number === undefined || !isWhole || number < 0 || number >= 2n ** 63n) {
    $.fail(logDiagnostic('bad-number', { text: value.text, what: 'a whole number from 0 to 2^63-1' }, value.span))
  }
  return Math.min(Number(number), Number.MAX_SAFE_INTEGER)
}

/** Reports a row count of 0 in LogsQL, where the count would silently give an empty answer. */
export function refuseZero($: Syntax, count: number | undefined): void {
  if (count !== 0 || $.isNative) return
  const where = { start: $.LA(0).startOffset, end: $.endOffset() }
  $.fail(logDiagnostic('bad-number', { text: '0', what: 'a whole number above 0' }, where))
}

/** Reports a missing comma if a name follows a list of fields. */
export function expectComma($: Syntax): void {
  if (!$.isNext(t.Word) && !$.isNext(t.Quoted)) return
  $.fail(logDiagnostic('missing-comma', { end: $.endOffset() }, $.tokenSpan($.next())))
}
