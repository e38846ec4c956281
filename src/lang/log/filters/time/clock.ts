import { DAY_NS, isKnownZone, parseDurationNs, type Span } from '../../../../base/index.ts'
import type { Value } from '../../../../data/index.ts'
import { literal } from '../../../../plan/index.ts'
import type { OnField, TextValue } from '../../ast.ts'
import { defineFilter } from '../../definition.ts'
import { logDiagnostic } from '../../diagnostics.ts'
import type { Rule, Syntax } from '../../syntax.ts'
import * as t from '../../tokens.ts'

const DayRange = t.keyword('day_range')
const WeekRange = t.keyword('week_range')

export interface Bounds {
  readonly min: TextValue
  readonly max: TextValue
  readonly isMinIncluded: boolean
  readonly isMaxIncluded: boolean
}

/** Matches a range of times of day or of weekdays, in UTC unless the filter has an `offset` or a `zone`. */
export interface ClockFilter extends OnField {
  readonly kind: 'clock'
  readonly form: ({ readonly kind: 'day' } & Bounds) | ({ readonly kind: 'week' } & Bounds)
  readonly offset: TextValue | undefined
  readonly zone: TextValue | undefined
}

declare module '../../ast.ts' {
  interface FilterKinds {
    clock: ClockFilter
  }
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const DAY_NAMES = DAYS.flatMap((day) => [day.slice(0, 3), day])

/** Parses `hh:mm` to nanoseconds after midnight; `undefined` for other texts. */
function parseClock(text: string): number | undefined {
  const match = /^(\d\d):(\d\d)$/.exec(text)
  if (match === null) return undefined
  const [hours, minutes] = [Number(match[1]), Number(match[2])]
  if (minutes > 59 || hours > 24 || (hours === 24 && minutes > 0)) return undefined
  return (hours * 3600 + minutes * 60) * 1_000_000_000
}

/** Parses a weekday in short or long form, any case; 0 is Sunday. `undefined` for other texts. */
function parseWeekday(text: string): number | undefined {
  const index = DAY_NAMES.indexOf(text.toLowerCase())
  return index === -1 ? undefined : index >> 1
}

/** Registers the rule of the part after the time field: `day_range[…)` or `week_range[…]`. */
export function registerClock($: Syntax): Rule<[], ClockFilter['form']> {
  return $.RULE('clockRange', (): ClockFilter['form'] => {
    const name = $.or(0, [{ ALT: () => $.consume(DayRange) }, { ALT: () => $.consume(WeekRange) }])
    const open = $.or(1, [{ ALT: () => $.consume(t.LParen) }, { ALT: () => $.consume(t.LBracket) }])
    const min = $.subrule($.rules.text)
    $.consume(t.Comma)
    const max = $.subrule($.rules.text)
    const close = $.or(2, [{ ALT: () => $.consume(t.RParen) }, { ALT: () => $.consume(t.RBracket) }])
    return $.ACTION(() => {
      const isMinIncluded = open.tokenType === t.LBracket
      const isMaxIncluded = close.tokenType === t.RBracket
      const isDay = name.tokenType === DayRange
      for (const bound of [min, max]) {
        if (isDay && parseClock(bound.text) === undefined) {
          $.fail(logDiagnostic('bad-clock', { text: bound.text }, bound.span))
        }
        if (!isDay && parseWeekday(bound.text) === undefined) {
          $.fail(logDiagnostic('bad-weekday', { text: bound.text, known: DAY_NAMES }, bound.span))
        }
      }
      return { kind: isDay ? 'day' : 'week', min, max, isMinIncluded, isMaxIncluded }
    })
  })
}

export function checkZone($: Syntax, zone: { readonly text: string; readonly span: Span } | undefined): void {
  if (zone !== undefined && !isKnownZone(zone.text)) $.report(logDiagnostic('bad-zone', { text: zone.text }, zone.span))
}

interface Cycle {
  readonly read: (text: string) => number | undefined
  /**
   * Length of the cycle: of the day in ns, or of the week in days. A time of day as upper bound may equal it (`24:00`).
   */
  readonly length: number
}

const CYCLES: Readonly<Record<ClockFilter['form']['kind'], Cycle>> = {
  day: { read: parseClock, length: Number(DAY_NS) },
  week: { read: parseWeekday, length: DAYS.length },
}

/**
 * Returns the bounds of the range, both included: ns of the day, or weekdays with 0 for Sunday. The first bound is
 * greater than the last if the range crosses the end of the day or week. `undefined` for an empty range.
 */
function clockBounds(form: ClockFilter['form']): readonly [first: number, last: number] | undefined {
  const { read, length } = CYCLES[form.kind]
  const [min = 0, end = 0] = [read(form.min.text), read(form.max.text)]
  // A range up to midnight or Sunday, excluded, ends at the end of the day or week, not at its beginning.
  const max = end === 0 && !form.isMaxIncluded ? length : end
  const first = form.isMinIncluded ? min : min + 1
  const last = Math.min(form.isMaxIncluded ? max : max - 1, length - 1)
  if (min <= max) return first <= last ? [first, last] : undefined
  return first < length ? [first, last] : [0, last]
}

export const clock = defineFilter({
  kind: 'clock',
  names: [],
  print: (filter, printer) => {
    const { form } = filter
    const [open, close] = [form.isMinIncluded ? '[' : '(', form.isMaxIncluded ? ']' : ')']
    const offset = filter.offset === undefined ? '' : ` offset ${filter.offset.text}`
    const zone = filter.zone === undefined ? '' : ` zone ${printer.text(filter.zone.text)}`
    return `${printer.prefix(filter.field)}${form.kind}_range${open}${form.min.text}, ${form.max.text}${close}${offset}${zone}`
  },
  lower: (filter, context) => {
    const origin = context.at(filter.span)
    const offsetNs = filter.offset === undefined ? 0n : (parseDurationNs(filter.offset.text) ?? 0n)
    const bounds = clockBounds(filter.form)
    if (bounds === undefined) return literal(false, origin)
    const args: Value[] = [...bounds, Number(offsetNs + context.timeOffsetNs)]
    const zone = filter.zone?.text ?? context.zone
    if (zone !== undefined) args.push(zone)
    return {
      kind: 'test',
      arg: { kind: 'column', name: context.name(filter.field), origin },
      test: { kind: 'named', name: `${filter.form.kind}-range`, args },
      origin,
    }
  },
  doc: {
    summary: 'A time of day or a day of the week.',
    form: '_time:day_range[08:00, 18:00) | _time:week_range[Mon, Fri], each with [offset 2h] or [zone "name"]',
    examples: [
      { query: '_time:day_range[08:00, 18:00)', text: 'working hours in UTC' },
      { query: '_time:week_range[Mon, Fri]', text: 'working days' },
      { query: '_time:day_range[08:00, 18:00) zone "Europe/Berlin"', text: 'working hours there', dialect: 'native' },
    ],
  },
})
