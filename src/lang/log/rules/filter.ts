import { invariant, present } from '../../../base/index.ts'
import type { AndFilter, FieldRef, Filter, PatternValue } from '../ast.ts'
import type { AnyFilterDefinition, FieldArgument } from '../definition.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { isTimeField } from '../filters/time/field.ts'
import { quotedForRegexp, quotePattern, quoteText } from '../print/quote.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'
import { afterOperand, expectBraces, expectOperand, touchingRun, warnNullTest, warnUnspaced } from './filter-hints.ts'

const Range = t.keyword('range')

const END_OF_LEVEL = new Set([t.EOF, t.Bar, t.RParen, t.Semicolon, t.Comma, t.RBracket, t.RBrace, t.Or])

/** Names of list filters. In the `logsql` dialect, a search for such a word requires quotes. */
const LIST_CALLS = new Set(['in', 'contains_all', 'contains_any'])

type FieldRule = Rule<[field?: FieldArgument], Filter>

/** Registers the rules of boolean expressions. `definitions` contain the rules of the individual filters. */
export function registerFilter($: Syntax, definitions: readonly AnyFilterDefinition[]): void {
  const calls = definitions.flatMap(({ call: register }) => register?.($) ?? [])
  const operators = definitions.flatMap(({ operator: register }) => register?.($) ?? [])
  const own = (kind: AnyFilterDefinition['kind']): FieldRule => {
    const register = definitions.find((definition) => definition.kind === kind)?.own
    invariant(register !== undefined, `the filter ${kind} has no rule of its own`)
    return register($)
  }
  const timeFilter = own('time')
  const streamFilter = own('stream')
  const streamIdFilter = own('stream-id')
  const namesOf = (some: readonly AnyFilterDefinition[]): readonly string[] =>
    some.flatMap(({ names, call: register }) => (register === undefined ? [] : names))
  const callNames = namesOf(definitions)
  const sharedNames = namesOf(definitions.filter(({ isNativeOnly }) => isNativeOnly !== true))
  const callTypes = new Set(callNames.map(t.keyword))
  const sharedCallTypes = new Set(sharedNames.map(t.keyword))

  const isCall = (): boolean =>
    $.isNextIn($.isNative ? callTypes : sharedCallTypes) &&
    ($.isNext(t.LParen, 2) || ($.isNext(t.LBracket, 2) && $.isNext(Range)))

  /** True if a field accepts any filter. In the `logsql` dialect, stream fields accept only stream filters. */
  const isFree = (field: FieldArgument): boolean =>
    $.isNative || !(isField(field, '_stream') || isField(field, '_stream_id'))

  const call = $.RULE('filterCall', (field?: FieldArgument): Filter => {
    // A name begins only one kind of filter, so one token decides which rule applies.
    return $.or(
      0,
      calls.map((rule) => ({ ALT: () => $.subrule(rule, field) })),
    )
  })

  const operator = $.RULE('filterOperator', (field?: FieldArgument): Filter => {
    return $.or(
      0,
      operators.map((rule) => ({ ALT: () => $.subrule(rule, field) })),
    )
  })

  const group = $.RULE('group', (field?: FieldArgument): Filter => {
    const start = $.ACTION(() => $.startOffset())
    $.consume(t.LParen)
    $.ACTION(() => {
      if (!$.isNext(t.RParen)) return
      $.consume(t.RParen)
      $.fail(logDiagnostic('empty-group', {}, $.spanFrom(start)))
    })
    const arg = $.nested(() => {
      const outer = $.groupField
      if (field !== undefined) $.groupField = field
      try {
        return $.subrule($.rules.filter)
      } finally {
        $.groupField = outer
      }
    })
    $.consume(t.RParen)
    return { kind: 'group', arg, field: undefined, span: $.spanFrom(start) }
  })

  /** Rule for the filter after `field:`. */
  const afterField = $.RULE('fieldFilter', (field?: FieldArgument): Filter => {
    const start = $.ACTION(() => field?.span.start ?? $.startOffset())
    let isNegated = false
    $.many(0, {
      GATE: () => !isTimeField(field, $.isNative) || !$.isNext(t.Minus),
      DEF: () => {
        $.or(0, [{ ALT: () => $.consume(t.Bang) }, { ALT: () => $.consume(t.Minus) }, { ALT: () => $.consume(t.Not) }])
        isNegated = !isNegated
      },
    })
    $.ACTION(() => {
      if (isField(field, '_stream')) expectBraces($)
      if ($.isNext(t.LBracket) && !isTimeField(field, $.isNative)) failAtBracket($)
    })
    const filter = $.or(1, [
      { GATE: () => isTimeField(field, $.isNative), ALT: () => $.subrule(timeFilter, field) },
      { GATE: () => isField(field, '_stream'), ALT: () => $.subrule(streamFilter, field) },
      { GATE: () => isField(field, '_stream_id'), ALT: () => $.subrule(streamIdFilter, field) },
      { GATE: () => isFree(field), ALT: () => $.subrule(group, field) },
      { GATE: () => isFree(field), ALT: () => $.subrule(operator, field) },
      { GATE: () => isCall() && isFree(field), ALT: () => $.subrule(call, field) },
      {
        GATE: () => isFree(field),
        ALT: () => valueFilter($, $.subrule($.rules.pattern, true), field),
      },
    ])
    return $.ACTION(() => (isNegated ? negated(filter, $.spanFrom(start)) : filter))
  })

  /** Rule for a word or pattern, or a field with its filter. */
  const named = $.RULE('namedFilter', (): Filter => {
    const value = $.subrule($.rules.pattern, !$.isNative && $.groupField !== undefined)
    const field: FieldRef = { parts: value?.parts, span: value?.span }
    const colon = $.option(0, {
      // In `logsql`, all values inside `field:( … )` belong to that field, so no other field may be written there.
      GATE: () => $.isNative || $.groupField === undefined,
      DEF: () => {
        $.consume(t.Colon)
        return $.subrule(afterField, field)
      },
    })
    const comparison = $.option(1, {
      GATE: () => colon === undefined && $.isNative && $.isNextIn(t.comparisons),
      // Comparisons on the time field compare times, whether or not a colon precedes the operator.
      DEF: () =>
        $.or(0, [
          { GATE: () => isTimeField(field, $.isNative), ALT: () => $.subrule(timeFilter, field) },
          { ALT: () => $.subrule(operator, field) },
        ]),
    })
    return $.ACTION(() => {
      const filter = colon ?? comparison
      if (filter === undefined) return valueFilter($, value, $.groupField)
      $.refuseAsName(value)
      checkField($, field)
      return filter
    })
  })

  $.rules.operand = $.RULE('operand', (): Filter => {
    const start = $.ACTION(() => $.startOffset())
    let isNegated = false
    $.many(0, {
      DEF: () => {
        $.or(0, [{ ALT: () => $.consume(t.Bang) }, { ALT: () => $.consume(t.Minus) }, { ALT: () => $.consume(t.Not) }])
        isNegated = !isNegated
      },
    })
    $.ACTION(() => expectOperand($))
    const filter = $.or(1, [
      { ALT: () => $.subrule(group) },
      { ALT: () => $.subrule(streamFilter) },
      { ALT: () => $.subrule(operator, $.groupField) },
      { GATE: isCall, ALT: () => $.subrule(call, $.groupField) },
      { ALT: () => $.subrule(named) },
    ])
    return $.ACTION(() => {
      afterOperand($, start, filter.kind === 'word' && filter.field === undefined, $.isNative ? callNames : sharedNames)
      return isNegated ? negated(filter, $.spanFrom(start)) : filter
    })
  })

  const level = $.RULE('conjunction', (): Filter => {
    const start = $.ACTION(() => $.startOffset())
    const operands = [$.subrule($.rules.operand)]
    const isExplicit: boolean[] = []
    $.many(0, {
      GATE: () => !$.isNextIn(END_OF_LEVEL),
      DEF: () => {
        const and = $.option(0, { DEF: () => $.consume(t.And) })
        isExplicit.push(and !== undefined)
        operands.push($.subrule($.rules.operand))
      },
    })
    return $.ACTION(() => conjunctionOf(operands, isExplicit, $.spanFrom(start)))
  })

  $.rules.filter = $.RULE('filter', (): Filter => {
    const start = $.ACTION(() => $.startOffset())
    const args = [$.subrule(level)]
    $.many(0, {
      DEF: () => {
        $.consume(t.Or)
        args.push($.subrule(level))
      },
    })
    return $.ACTION(() => {
      const [only] = args
      if (args.length === 1 && only !== undefined) return only
      return { kind: 'or', args, field: undefined, span: $.spanFrom(start) }
    })
  })
}

/** Negates a filter. A double negation is removed, and its operand becomes a group in parentheses. */
function negated(filter: Filter, where: Filter['span']): Filter {
  return filter.kind === 'not'
    ? { kind: 'group', arg: filter.arg, field: undefined, span: where }
    : { kind: 'not', arg: filter, field: undefined, span: where }
}

/** Combines operands to a conjunction. Operands joined by explicit `AND` become one operand of it. */
function conjunctionOf(operands: readonly Filter[], isExplicit: readonly boolean[], where: AndFilter['span']): Filter {
  const [only] = operands
  if (operands.length === 1 && only !== undefined) return only
  const chains: Filter[] = []
  for (let i = 0; i < operands.length;) {
    let end = i + 1
    while (end < operands.length && isExplicit[end - 1]) end++
    const args = operands.slice(i, end)
    chains.push(args.length === 1 ? present(args[0]) : explicitAnd(args))
    i = end
  }
  const [chain] = chains
  return chains.length === 1 && chain !== undefined
    ? chain
    : { kind: 'and', args: chains, isExplicit: false, field: undefined, span: where }
}

function explicitAnd(args: readonly Filter[]): AndFilter {
  const where = { start: present(args[0]).span.start, end: present(args.at(-1)).span.end }
  return { kind: 'and', args, isExplicit: true, field: undefined, span: where }
}

/** Reports a range in the syntax of another language, such as `[1 TO 5]` or `[1, 5]`. */
function failAtBracket($: Syntax): never {
  const start = $.startOffset()
  const match = /^\[\s*([^\s,\]]+)\s*(?:,|\s[tT][oO]\s)\s*([^\s,\]]+)\s*\]/.exec(
    $.session.source.slice(start, start + 200),
  )
  const end = match === null ? start + 1 : start + match[0].length
  return $.fail(logDiagnostic('bracket-range', { min: match?.[1], max: match?.[2] }, { start, end }))
}

function isField(field: FieldArgument, name: string): boolean {
  return field !== undefined && field.parts.length === 1 && field.parts[0] === name
}

function checkField($: Syntax, field: FieldRef): void {
  const isSuffixOnly = field.parts.length === 1 || (field.parts.length === 2 && field.parts[1] === '')
  if ($.isNative || isSuffixOnly) return
  $.fail(logDiagnostic('inner-wildcard', { text: field.parts.join('*') }, field.span))
}

/** Converts a value to a filter: a word or phrase, or a pattern that the dialect allows. */
function valueFilter($: Syntax, value: PatternValue, field: FieldArgument): Filter {
  return $.ACTION((): Filter => {
    const where = {
      start: field === undefined ? value.span.start : Math.min(field.span.start, value.span.start),
      end: value.span.end,
    }
    $.countTerm(where)
    const { parts, isQuoted } = value
    const [first = '', second, third] = parts
    if (!$.isNative && !isQuoted && parts.length === 1 && LIST_CALLS.has(first.toLowerCase())) {
      $.fail(logDiagnostic('call-without-parentheses', { name: first, argument: '', end: 0 }, value.span))
    }
    const text = $.session.source.slice(value.span.start, value.span.end)
    if (!isQuoted && parts.length === 1 && /^[-+/.$]$/.test(first)) {
      $.fail(logDiagnostic('lone-character', { text: first }, value.span))
    }
    if ($.isNative && field !== undefined && !isQuoted && text.includes(':') && !/["'`]/.test(text)) {
      const run = touchingRun($.session.source, value.span.start)
      const all = { start: value.span.start, end: value.span.start + run.length }
      $.fail(logDiagnostic('colons-in-value', { text: run, quoted: quotePattern(run) }, all))
    }
    if ($.isNative && !isQuoted && field === undefined && first.toLowerCase() === 'null') warnNullTest($)
    // A star written after a field means any value; a star from a parameter is an ordinary value.
    if (value.parameter !== undefined && field !== undefined && parts.length === 1 && first === '*')
      return { kind: 'exact', text: '*', isPrefix: false, field, span: where }
    if ($.isNative && field === undefined && parts.length === 1) warnUnspaced($, first, value.span)
    if (parts.length === 1) return { kind: 'word', text: first, isQuoted, field, span: where }
    const isKnown = parts.length === 2 ? second === '' : parts.length === 3 && first === '' && third === ''
    if (!$.isNative && !isKnown) {
      $.fail(logDiagnostic('unsupported-wildcard', { text, meant: regexpOf(parts) }, value.span))
    }
    return { kind: 'pattern', parts, field, span: where }
  })
}

/** Returns the regular expression that matches the values of a pattern. */
function regexpOf(parts: readonly string[]): string {
  const start = parts[0] === '' ? '' : '^'
  const end = parts.at(-1) === '' ? '' : '$'
  const texts = parts.filter((part) => part !== '').map(quotedForRegexp)
  return `~${quoteText(`${start}${texts.join('.*')}${end}`)}`
}
