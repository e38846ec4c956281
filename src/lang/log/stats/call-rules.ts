import type { Span } from '../../../base/index.ts'
import { parseNumber } from '../../../data/index.ts'
import type { FieldRef, TextValue } from '../ast.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { noStars, registerKeys, registerList } from '../rules/lists.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'
import { openForm, type LiteralType, type SortField, type StatsCall, type StatsForm, type StatsForms } from './call.ts'

const By = t.keyword('by')
const As = t.keyword('as')
const If = t.keyword('if')
const Limit = t.keyword('limit')
const Offset = t.keyword('offset')
const Sort = t.keyword('sort')
const Order = t.keyword('order')
const Asc = t.keyword('asc')
const Desc = t.keyword('desc')
const DIRECTIONS = new Set([Asc, Desc])

/** Reports an error unless a list of fields in parentheses comes next. */
export function expectParentheses($: Syntax): void {
  if (!$.isNext(t.Word) && !$.isNext(t.Quoted)) return
  let distance = 2
  for (;;) {
    if ($.isNextIn(DIRECTIONS, distance)) distance++
    if (!$.isNext(t.Comma, distance) || !$.isNext(t.Word, distance + 1) || $.isNext(t.LParen, distance + 2)) break
    distance += 2
  }
  const where = { start: $.startOffset(), end: $.tokenSpan($.next(distance - 1)).end }
  $.fail(logDiagnostic('missing-parentheses', { list: $.session.source.slice(where.start, where.end) }, where))
}

/** Registers two rules for sort fields `f [asc|desc], …`: one in parentheses, and one with or without them. */
export function registerSortFields($: Syntax): void {
  const one = $.RULE('sortField', (): SortField => {
    const field = $.subrule($.rules.field)
    const direction = $.option(0, () => $.or(0, [{ ALT: () => $.consume(Asc) }, { ALT: () => $.consume(Desc) }]))
    return $.ACTION(() => {
      $.countField(field.span)
      return { field, isDescending: direction?.tokenType === Desc }
    })
  })
  $.rules.sortFields = registerList($, 'sortFields', one)
  $.rules.sortKeys = registerKeys($, 'sortKeys', $.rules.sortFields, one)
}

/** Registers the rule of a stats call `fn(args) …`. `family` selects the functions that may be called. */
export function registerStatsCall($: Syntax, name: string, family: 'stats' | 'running' = 'stats'): Rule<[], StatsCall> {
  const sortFields = $.RULE(`${name}Order`, (): readonly SortField[] => {
    $.or(0, [{ ALT: () => $.consume(Sort) }, { ALT: () => $.consume(Order) }])
    $.option(0, () => $.consume(By))
    $.ACTION(() => expectParentheses($))
    return $.subrule($.rules.sortFields)
  })

  return $.RULE(name, (): StatsCall => {
    const start = $.ACTION(() => $.startOffset())
    $.ACTION(() => {
      if ($.isNext(t.Word) && !$.isNext(t.LParen, 2)) failAtName($, $.session[family])
    })
    const word = $.consume(t.Word)
    const form = $.ACTION(() => formOf($, $.session[family], word))
    $.ACTION(() => {
      $.takesLiterals = form.params > 0
    })
    const args = $.subrule($.rules.parenFieldPatterns)
    $.takesLiterals = false
    const checked = $.ACTION(() => argumentsOf($, word.image.toLowerCase(), form, args, $.spanFrom(start)))
    const order = $.option(0, { GATE: () => form.takesOrder, DEF: () => $.subrule(sortFields) })
    const limit = $.option(1, {
      GATE: () => form.takesLimit,
      DEF: () => {
        $.consume(Limit)
        return $.subrule($.rules.count)
      },
    })
    const offset = $.option(2, {
      GATE: () => form.takesOffset,
      DEF: () => {
        $.consume(Offset)
        return $.subrule($.rules.count)
      },
    })
    return $.ACTION(() => ({
      name: word.image.toLowerCase(),
      ...checked,
      order: order ?? [],
      limit,
      offset,
      nameSpan: $.tokenSpan(word),
      span: $.spanFrom(start),
    }))
  })
}

function failAtName($: Syntax, forms: StatsForms): never {
  const token = $.next()
  const known = forms.has(token.image.toLowerCase())
  if (known) {
    const next = $.next(2)
    const hasArgument = $.isNext(t.Word, 2) && !$.isNextOneOf([As, If, By], 2)
    const data = { name: token.image, argument: hasArgument ? next.image : '', end: $.tokenSpan(next).end }
    $.fail(logDiagnostic('call-without-parentheses', data, $.tokenSpan(token)))
  }
  $.fail(logDiagnostic('unknown-function', { name: token.image, known: [...forms.keys()] }, $.tokenSpan(token)))
}

function formOf($: Syntax, forms: StatsForms, word: t.Token): StatsForm {
  const form = forms.get(word.image.toLowerCase())
  if (form !== undefined) return form
  $.report(logDiagnostic('unknown-function', { name: word.image, known: [...forms.keys()] }, $.tokenSpan(word)))
  return openForm
}

function argumentsOf(
  $: Syntax,
  name: string,
  form: StatsForm,
  written: readonly FieldRef[],
  where: Span,
): { readonly params: readonly TextValue[]; readonly args: readonly FieldRef[] } {
  if (written.length < form.params) {
    const data = { name, min: form.params + form.minArgs, max: form.params + form.maxArgs, count: written.length }
    $.fail(logDiagnostic('wrong-argument-count', data, where))
  }
  const params = written.slice(0, form.params).map((field, i) => paramOf($, name, field, form.literals?.[i]))
  const args = written.slice(form.params)
  args.forEach((field) => $.refuseAsName(field))
  if (args.length < form.minArgs || args.length > form.maxArgs) {
    const data = { name, min: form.params + form.minArgs, max: form.params + form.maxArgs, count: written.length }
    $.fail(logDiagnostic('wrong-argument-count', data, where))
  }
  const isAll = args.some((field) => field.parts.length === 2 && field.parts.every((part) => part === ''))
  if (isAll && (form.isAllByDefault || form.params > 0)) return { params, args: [] }
  if (!form.takesPatterns) noStars($, args)
  return { params, args }
}

/** Converts a literal argument of a stats call. Among standard functions, only quantiles have one: the fraction. */
function paramOf($: Syntax, name: string, field: FieldRef, type: LiteralType | undefined): TextValue {
  const text = field.parts.join('*')
  if (type === 'string') return { text, isQuoted: true, span: field.span }
  const number = field.parts.length === 1 ? parseNumber(text) : undefined
  if (type === 'number') {
    if (number !== undefined) return { text, isQuoted: false, span: field.span }
    $.fail(logDiagnostic('wrong-argument', { name, text, what: 'a number there' }, field.span))
  }
  if (number === undefined || !(number >= 0 && number <= 1)) {
    $.fail(logDiagnostic('wrong-argument', { name, text, what: 'a number from 0 to 1 first' }, field.span))
  }
  return { text, isQuoted: false, span: field.span }
}
