import { clampNs, MAX_NS, MIN_NS, parseDurationNs, type Interval } from '../../../../base/index.ts'
import type { Filter, OnField, TextValue } from '../../ast.ts'
import { defineFilter, type FieldArgument } from '../../definition.ts'
import { logDiagnostic } from '../../diagnostics.ts'
import type { LowerContext } from '../../lower-context.ts'
import type { Rule, Syntax } from '../../syntax.ts'
import * as t from '../../tokens.ts'
import { startOf } from '../shared.ts'
import { checkZone, registerClock, type ClockFilter } from './clock.ts'
import { afterNs, parseTimeSpan, type TimeSpan } from './literal.ts'

const Zone = t.keyword('zone')

export type TimeForm =
  /**
   * A whole year, month, or other unit down to a millisecond. `hasEquals` is true if the filter was written with `=`.
   */
  | { readonly kind: 'at'; readonly time: TextValue; readonly hasEquals: boolean }
  /** The time from `duration` ago until now. */
  | { readonly kind: 'last'; readonly duration: TextValue }
  /** Comparison with a time. If `time` is a duration, `<` means newer and `>` older than that duration ago. */
  | { readonly kind: 'compare'; readonly op: '<' | '<=' | '>' | '>='; readonly time: TextValue }
  | {
      readonly kind: 'range'
      readonly min: TextValue
      readonly max: TextValue
      readonly isMinIncluded: boolean
      readonly isMaxIncluded: boolean
    }
  /** Everything up to `offset` ago; written as the clause `offset 1h` without a range. */
  | { readonly kind: 'until' }

export interface TimeFilter extends OnField {
  readonly kind: 'time'
  readonly form: TimeForm
  /** Duration by which the range is moved into the past; `undefined` for none. */
  readonly offset: TextValue | undefined
}

declare module '../../ast.ts' {
  interface FilterKinds {
    time: TimeFilter
  }
}

const Offset = t.keyword('offset')

function own($: Syntax): Rule<[field?: FieldArgument], Filter> {
  const clock = registerClock($)

  const time = $.RULE('timeLiteral', (): TextValue => {
    const value = $.subrule($.rules.text)
    return $.ACTION(() => {
      if (parseTimeSpan(value.text, 0n, $.isNative) === undefined) {
        $.fail(logDiagnostic('bad-time', { text: value.text }, value.span))
      }
      return value
    })
  })

  const comparison = $.RULE('timeComparison', (): TimeForm => {
    const op = $.or(0, [
      { ALT: () => $.consume(t.Less) },
      { ALT: () => $.consume(t.LessEquals) },
      { ALT: () => $.consume(t.Greater) },
      { ALT: () => $.consume(t.GreaterEquals) },
      { ALT: () => $.consume(t.Equals) },
    ])
    const value = $.subrule(time)
    return $.ACTION((): TimeForm => {
      if (op.tokenType === t.Equals) return { kind: 'at', time: value, hasEquals: true }
      return { kind: 'compare', op: op.image as '<', time: value }
    })
  })

  const range = $.RULE('timeRange', (): TimeForm => {
    const open = $.or(0, [{ ALT: () => $.consume(t.LParen) }, { ALT: () => $.consume(t.LBracket) }])
    const min = $.subrule(time)
    $.consume(t.Comma)
    const max = $.subrule(time)
    const close = $.or(1, [{ ALT: () => $.consume(t.RParen) }, { ALT: () => $.consume(t.RBracket) }])
    return $.ACTION((): TimeForm => {
      const isMinIncluded = open.tokenType === t.LBracket
      const isMaxIncluded = close.tokenType === t.RBracket
      return { kind: 'range', min, max, isMinIncluded, isMaxIncluded }
    })
  })

  return $.RULE('timeFilter', (field?: FieldArgument): Filter => {
    const start = $.ACTION(() => startOf($, field))
    let isNegated = false
    const form = $.or(0, [
      { ALT: (): TimeForm | ClockFilter['form'] => $.subrule(range) },
      { ALT: (): TimeForm | ClockFilter['form'] => $.subrule(comparison) },
      {
        GATE: () => $.isNative,
        ALT: (): TimeForm | ClockFilter['form'] => {
          $.consume(t.NotEquals)
          isNegated = true
          const value = $.subrule(time)
          return { kind: 'at', time: value, hasEquals: true }
        },
      },
      {
        GATE: () => $.isNext(t.LParen, 2) || $.isNext(t.LBracket, 2),
        ALT: (): TimeForm | ClockFilter['form'] => $.subrule(clock),
      },
      {
        GATE: () => !$.isNext(Offset),
        ALT: (): TimeForm | ClockFilter['form'] => {
          const value = $.subrule(time)
          return $.ACTION((): TimeForm =>
            isDuration(value.text) ? { kind: 'last', duration: value } : { kind: 'at', time: value, hasEquals: false },
          )
        },
      },
      {
        // The clause `offset` may stand alone, without a range before it.
        GATE: () => $.isNext(Offset),
        ALT: (): TimeForm | ClockFilter['form'] => ({ kind: 'until' }),
      },
    ])
    const offset = $.option(0, () => {
      $.consume(Offset)
      return $.subrule($.rules.duration)
    })
    const zone = $.option(1, {
      GATE: () => $.isNative && (form.kind === 'day' || form.kind === 'week'),
      DEF: () => {
        $.consume(Zone)
        return $.subrule($.rules.text)
      },
    })
    return $.ACTION((): Filter => {
      const where = $.spanFrom(start)
      $.countTerm(where)
      checkZone($, zone)
      if (form.kind === 'day' || form.kind === 'week') return { kind: 'clock', form, offset, zone, field, span: where }
      const filter: TimeFilter = { kind: 'time', form, offset, field, span: where }
      return isNegated ? { kind: 'not', arg: filter, field: undefined, span: where } : filter
    })
  })
}

function isDuration(text: string): boolean {
  return !/^\d+$/.test(text) && parseDurationNs(text) !== undefined
}

function print(form: TimeForm): string {
  switch (form.kind) {
    case 'at':
      return (form.hasEquals ? '=' : '') + form.time.text
    case 'last':
      return form.duration.text
    case 'compare':
      return form.op + form.time.text
    case 'range':
      return `${form.isMinIncluded ? '[' : '('}${form.min.text},${form.max.text}${form.isMaxIncluded ? ']' : ')'}`
    case 'until':
      return ''
  }
}

/** The settings that resolve written times to instants. */
type Times = Pick<LowerContext, 'nowNs' | 'timeOffsetNs' | 'dialect' | 'zone'>

/** Returns the first and the last instant of a time filter's range, both included, without its offset. */
function spanOfForm(form: TimeForm, { nowNs, dialect, zone }: Times): TimeSpan {
  const read = (value: TextValue): TimeSpan =>
    parseTimeSpan(value.text, nowNs, dialect === 'native', zone) ?? { firstNs: 1n, lastNs: 0n }
  switch (form.kind) {
    case 'at':
      return read(form.time)
    case 'last':
      return { firstNs: read(form.duration).firstNs, lastNs: nowNs - 1n }
    case 'until':
      return { firstNs: MIN_NS, lastNs: nowNs }
    case 'range': {
      const [min, max] = [read(form.min), read(form.max)]
      return {
        firstNs: form.isMinIncluded ? min.firstNs : min.firstNs + 1n,
        lastNs: form.isMaxIncluded ? max.lastNs : max.firstNs - 1n,
      }
    }
    case 'compare': {
      const { firstNs, lastNs } = read(form.time)
      const isIncluded = form.op === '<=' || form.op === '>='
      if (isDuration(form.time.text)) {
        if (form.op === '<' || form.op === '<=')
          return { firstNs: isIncluded ? firstNs : firstNs + 1n, lastNs: nowNs - 1n }
        return { firstNs: MIN_NS, lastNs: isIncluded ? firstNs : firstNs - 1n }
      }
      if (form.op === '<' || form.op === '<=') return { firstNs: MIN_NS, lastNs: isIncluded ? lastNs : firstNs - 1n }
      return { firstNs: isIncluded ? firstNs : firstNs + 1n, lastNs: MAX_NS }
    }
  }
}

/** Returns the time range of a `_time` filter, end excluded. */
function intervalOf(filter: TimeFilter, times: Times): Interval {
  const { firstNs, lastNs } = spanOfForm(filter.form, times)
  const shift = times.timeOffsetNs + (filter.offset === undefined ? 0n : (parseDurationNs(filter.offset.text) ?? 0n))
  return {
    startNs: firstNs <= MIN_NS ? MIN_NS : clampNs(firstNs - shift),
    endNs: lastNs >= MAX_NS ? MAX_NS : clampNs(afterNs(lastNs) - shift),
  }
}

export const time = defineFilter({
  kind: 'time',
  names: [],
  own,
  print: (filter, printer) => {
    const offset = filter.offset === undefined ? '' : `offset ${filter.offset.text}`
    const form = print(filter.form)
    return printer.prefix(filter.field) + (form === '' || offset === '' ? form + offset : `${form} ${offset}`)
  },
  lower: (filter, context) => {
    const origin = context.at(filter.span)
    const range = intervalOf(filter, context)
    return {
      kind: 'test',
      arg: { kind: 'column', name: context.name(filter.field), origin },
      test: { kind: 'time-range', range },
      origin,
    }
  },
  doc: {
    summary: 'A range of time: the last so long, a date of any precision, or two bounds.',
    form: '_time:5m | _time:2026-05-31 | _time:[min, max) | _time:>time, each with [offset 1h]',
    examples: [
      { query: '_time:5m', text: 'the last five minutes' },
      { query: '_time:2026-01-31', text: 'one day' },
      { query: '_time:[2026-01-01, 2026-01-18)', text: 'from one day until before another' },
      { query: '_time:1h offset 1d', text: 'the same hour a day ago' },
    ],
  },
})
