import { toText } from '../../src/data/index.ts'
import type { Filter } from '../../src/lang/log/index.ts'
import { isNothing, lowerFilterTest } from './logsql-lower.ts'

type Shape = Readonly<Record<string, unknown>>

const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

function fieldOf(filter: Filter): string {
  return filter.field?.parts.join('*') ?? '_msg'
}

/** Returns the next float in the direction of `step`. */
function nextFloat(value: number, step: 1 | -1): number {
  if (!Number.isFinite(value)) return value
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigInt64(0)
  const isUp = value > 0 ? step === 1 : step === -1
  view.setBigInt64(0, bits + (isUp ? 1n : -1n))
  return view.getFloat64(0)
}

function bound(value: number | bigint): number | string {
  const number = Number(value)
  if (number === Infinity) return '+Inf'
  return number === -Infinity ? '-Inf' : number
}

function inclusive(test: {
  min: number | bigint
  max: number | bigint
  isMinIncluded: boolean
  isMaxIncluded: boolean
}): Shape {
  return {
    minInclusive: bound(test.isMinIncluded ? test.min : nextFloat(Number(test.min), 1)),
    maxInclusive: bound(test.isMaxIncluded ? test.max : nextFloat(Number(test.max), -1)),
  }
}

/** Returns the bounds of the string range that a comparison with `text` describes. */
function textBounds(op: string, text: string): Shape {
  const after = `${text}\u0000`
  const top = { b64: '/////w==' }
  if (op === 'gt') return { min: after, maxExclusive: top }
  if (op === 'ge') return { min: text, maxExclusive: top }
  return { min: '', maxExclusive: op === 'le' ? after : text }
}

/** Converts a filter to the syntax tree of the vectors. */
export function astOf(filter: Filter): Shape {
  const field = fieldOf(filter)
  switch (filter.kind) {
    case 'sequence':
      return { type: 'seq', field, values: filter.phrases.map(({ text }) => text) }
    case 'in':
    case 'contains-all':
    case 'contains-any': {
      const type = filter.kind.replace('-', '_')
      const values = filter.list.kind === 'values' ? filter.list.values.map(({ text }) => text) : []
      return { type, field, values: values.length === 0 ? null : values }
    }
    case 'ipv4-range':
    case 'ipv6-range':
      return { type: filter.kind.replace('-', '_'), field, min: filter.first, max: filter.last }
    case 'string-range':
      return { type: 'string_range', field, min: filter.min.text, maxExclusive: filter.max.text }
    case 'json-array':
      return { type: 'json_array_contains_any', field, values: filter.values.map(({ text }) => text) }
    case 'value-type':
      return { type: 'value_type', field, valueType: filter.type.text }
    case 'regexp':
      return { type: 'regexp', field, re: filter.pattern }
    case 'any-case':
      return filter.isPrefix
        ? { type: 'any_case_prefix', field, prefix: filter.text }
        : { type: 'any_case_phrase', field, phrase: filter.text }
    case 'word':
      return { type: 'phrase', field, phrase: filter.text }
    case 'pattern': {
      const isEvery = filter.field === undefined && filter.parts.every((part) => part === '')
      return { type: 'prefix', field: isEvery ? '' : field, prefix: filter.parts[0] }
    }
    case 'compare':
    case 'range': {
      const test = lowerFilterTest(filter)
      if (test.kind === 'range') return { type: 'range', field, ...inclusive(test) }
      return test.kind === 'compare-text' ? { type: 'string_range', field, ...textBounds(test.op, test.text) } : {}
    }
    case 'time':
    case 'clock':
      return timeShape(filter)
    default:
      return { type: filter.kind }
  }
}

/**
 * Returns the tree of a week range without any day. The vectors name the days next to its bounds, whereas our plan
 * reduces the filter to `false`.
 */
function emptyWeek(form: Extract<Filter, { kind: 'clock' }>['form']): Shape {
  const dayAt = (text: string, step: number): string | undefined =>
    DAY_NAMES[(DAY_NAMES.findIndex((name) => name.startsWith(text)) + step + 7) % 7]
  return {
    type: 'week_range',
    startDay: dayAt(form.min.text, form.isMinIncluded ? 0 : 1),
    endDay: dayAt(form.max.text, form.isMaxIncluded ? 0 : -1),
    offsetNs: '0',
  }
}

function timeShape(filter: Filter): Shape {
  if (filter.kind === 'clock' && filter.form.kind === 'week' && isNothing(filter)) return emptyWeek(filter.form)
  const test = lowerFilterTest(filter)
  if (test.kind === 'named') {
    const [first, last, offset] = test.args.map(toText)
    return test.name === 'day-range'
      ? { type: 'day_range', startNs: first, endNs: last, offsetNs: offset }
      : {
          type: 'week_range',
          startDay: DAY_NAMES[Number(first)],
          endDay: DAY_NAMES[Number(last)],
          offsetNs: offset,
        }
  }
  if (test.kind !== 'time-range') return {}
  if (filter.kind === 'time' && filter.form.kind === 'last') {
    const durationNs = test.range.endNs - test.range.startNs
    return { type: 'time_duration', durationNs: String(durationNs) }
  }
  const isOpen = test.range.endNs === 2n ** 63n - 1n
  return {
    type: 'time_range',
    minNs: String(test.range.startNs),
    maxNs: String(isOpen ? test.range.endNs : test.range.endNs - 1n),
  }
}
