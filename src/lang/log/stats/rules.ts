import { parseDurationNs, type Span } from '../../../base/index.ts'
import { parseNumber } from '../../../data/index.ts'
import { logDiagnostic } from '../diagnostics.ts'
import { checkZone } from '../filters/time/clock.ts'
import { readBy, registerKeys, registerList } from '../rules/lists.ts'
import type { Rule, Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'
import { isBucket } from './bucket.ts'
import type { GroupBy, StatsBody, StatsResult, SwitchCase } from './call.ts'

const By = t.keyword('by')
const As = t.keyword('as')
const If = t.keyword('if')
const Offset = t.keyword('offset')
const Zone = t.keyword('zone')
const Fill = t.keyword('fill')
const Switch = t.keyword('switch')
const Case = t.keyword('case')
const Default = t.keyword('default')
const StatsWord = t.keyword('stats')
const NAMES = [t.Word, t.Quoted]

/** Registers the rule of the part after `stats`: `[by (…)] fn(…) [if (…)] [as] name, …`. */
export function registerStatsBody($: Syntax): Rule<[], StatsBody> {
  const groupBy = $.RULE('groupBy', (): GroupBy => {
    const field = $.subrule($.rules.field, true)
    const bucket = $.option(0, () => {
      $.consume(t.Colon)
      return $.subrule($.rules.text)
    })
    const offset = $.option(1, {
      GATE: () => bucket !== undefined,
      DEF: () => {
        $.consume(Offset)
        return $.subrule($.rules.text)
      },
    })
    const zone = $.option(2, {
      GATE: () => bucket !== undefined && $.isNative,
      DEF: () => {
        $.consume(Zone)
        return $.subrule($.rules.text)
      },
    })
    const fill = $.option(3, {
      GATE: () => bucket !== undefined && $.isNative,
      DEF: () => {
        $.consume(Fill)
        // After keys without parentheses, a word followed by `(` is a call rather than another key.
        const isCall = $.ACTION(() => $.isNext(t.Word) && $.isNext(t.LParen, 2))
        return { value: $.option(4, { GATE: () => !isCall, DEF: () => $.subrule($.rules.text) }) }
      },
    })
    return $.ACTION(() => {
      $.countField(field.span)
      if (bucket !== undefined && !isBucket(bucket.text)) {
        $.fail(logDiagnostic('bad-bucket', { text: bucket.text }, bucket.span))
      }
      if (
        offset !== undefined &&
        parseDurationNs(offset.text) === undefined &&
        parseNumber(offset.text) === undefined
      ) {
        $.fail(logDiagnostic('bad-duration', { text: offset.text }, offset.span))
      }
      checkZone($, zone)
      return { field, bucket, offset, zone, fill }
    })
  })

  $.rules.groupBy = groupBy

  const groupBys = registerList($, 'groupBys', groupBy)
  const groupKeys = registerKeys($, 'groupKeys', groupBys, groupBy)

  const switchCase = $.RULE('switchCase', (): SwitchCase => {
    return $.or(0, [
      {
        ALT: (): SwitchCase => {
          // Each case begins with `case` or its synonym `if`.
          $.or(1, [{ ALT: () => $.consume(Case) }, { ALT: () => $.consume(If) }])
          const filter = $.subrule($.rules.parenFilter, true)
          return { filter, name: $.subrule($.rules.alias) }
        },
      },
      {
        ALT: (): SwitchCase => {
          $.consume(Default)
          return { filter: undefined, name: $.subrule($.rules.alias) }
        },
      },
    ])
  })

  const switchCases = $.RULE('switchCases', (): readonly SwitchCase[] => {
    $.consume(Switch)
    $.consume(t.LParen)
    const cases = [$.subrule(switchCase)]
    $.many(0, {
      GATE: () => !$.isNext(t.RParen, 2),
      DEF: () => {
        $.consume(t.Comma)
        cases.push($.subrule(switchCase))
      },
    })
    $.option(0, () => $.consume(t.Comma))
    $.consume(t.RParen)
    $.ACTION(() => {
      const defaults = cases.filter(({ filter }) => filter === undefined)
      const [, second] = defaults
      if (second !== undefined) $.fail(logDiagnostic('repeated-clause', { name: 'default' }, second.name.span))
    })
    return cases
  })

  const result = $.RULE('statsResult', (): StatsResult => {
    const start = $.ACTION(() => $.startOffset())
    const call = $.subrule($.rules.statsCall)
    const condition = $.option(0, { GATE: () => $.isNext(If), DEF: () => $.subrule($.rules.condition) })
    const cases = $.option(1, {
      GATE: () => condition === undefined && $.isNext(t.LParen, 2),
      DEF: () => $.subrule(switchCases),
    })
    $.ACTION(() => expectNoLateBy($))
    const name = $.option(2, {
      GATE: () => cases === undefined && ($.isNext(As) || $.isNext(t.Word) || $.isNext(t.Quoted)),
      DEF: () => $.subrule($.rules.alias),
    })
    return $.ACTION(() => {
      const where = $.spanFrom(start)
      expectNoLateBy($)
      return { call, condition, cases: cases ?? [], name, span: where }
    })
  })

  return $.RULE('statsBody', (): StatsBody => {
    const by = readBy($, groupBys, groupKeys)
    const results = [$.subrule(result)]
    $.many(0, () => {
      $.consume(t.Comma)
      results.push($.subrule(result))
    })
    return $.ACTION(() => {
      const body = { by: by ?? [], results }
      checkNames($, body)
      return body
    })
  })
}

/** Reports `by` after the calls, as in `stats count() by (level)`, which is the order of other languages. */
function expectNoLateBy($: Syntax): void {
  const isListed = $.isNext(t.LParen, 2)
  if (!$.isNext(By) || !(isListed || $.isNextOneOf(NAMES, 2))) return
  const { source } = $.session
  const start = $.startOffset()
  let distance = 3
  if (isListed) while (!$.isNext(t.RParen, distance) && $.LA(distance).tokenType !== t.EOF) distance++
  else {
    while ($.isNext(t.Comma, distance) && $.isNextOneOf(NAMES, distance + 1) && !$.isNext(t.LParen, distance + 2))
      distance += 2
    distance--
  }
  const end = $.tokenSpan($.next(distance)).end
  let first = 0
  while (!$.isNextOneOf([StatsWord, t.Bar], first) && $.LA(first).tokenType !== t.EOF) first--
  const at = ($.LA(first).endOffset ?? 0) + 2
  const from = start - (/\s$/.test(source.slice(0, start)) ? 1 : 0)
  $.fail(logDiagnostic('by-after-functions', { clause: source.slice(start, end), at, from }, { start, end }))
}

/** Reports names of results that occur twice or equal the name of a key. */
function checkNames($: Syntax, { by, results }: StatsBody): void {
  const taken = new Set(by.map(({ field }) => field.parts[0]))
  const add = (name: string, where: Span, isNamed: boolean): void => {
    if (taken.has(name)) $.report(logDiagnostic('duplicate-result', { name, isNamed }, where))
    taken.add(name)
  }
  for (const result of results) {
    for (const { name } of result.cases) add(name.parts[0] ?? '', name.span, true)
    if (result.name !== undefined) add(result.name.parts[0] ?? '', result.name.span, true)
    else if (result.cases.length === 0) add($.session.resultName(result), result.span, false)
  }
}
