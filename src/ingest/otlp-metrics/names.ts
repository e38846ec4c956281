import { cached } from '../../base/index.ts'
import type { Metric } from './points.ts'
import { MAX_NAME_CHARS } from '../tuning.ts'

/** The words for UCUM units at the end of a metric's name. */
const UNITS: ReadonlyMap<string, string> = new Map([
  ['d', 'days'],
  ['h', 'hours'],
  ['min', 'minutes'],
  ['s', 'seconds'],
  ['ms', 'milliseconds'],
  ['us', 'microseconds'],
  ['ns', 'nanoseconds'],
  ['By', 'bytes'],
  ['KiBy', 'kibibytes'],
  ['MiBy', 'mebibytes'],
  ['GiBy', 'gibibytes'],
  ['TiBy', 'tibibytes'],
  ['KBy', 'kilobytes'],
  ['MBy', 'megabytes'],
  ['GBy', 'gigabytes'],
  ['TBy', 'terabytes'],
  ['m', 'meters'],
  ['V', 'volts'],
  ['A', 'amperes'],
  ['J', 'joules'],
  ['W', 'watts'],
  ['g', 'grams'],
  ['Cel', 'celsius'],
  ['Hz', 'hertz'],
  ['1', ''],
  ['%', 'percent'],
])

/** The words for UCUM units after a slash. */
const PER_UNITS: ReadonlyMap<string, string> = new Map([
  ['s', 'second'],
  ['m', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['w', 'week'],
  ['mo', 'month'],
  ['y', 'year'],
])

/** Returns the words of a text, without characters that a metric's name cannot have. */
function wordsOf(text: string): string[] {
  return text.split(/[^A-Za-z0-9:]+/).filter((word) => word !== '')
}

function unitWord(unit: string, words: ReadonlyMap<string, string>): string {
  const trimmed = unit.trim()
  // Braces contain annotations such as `{request}`.
  if (/[{}]/.test(trimmed)) return ''
  return wordsOf(words.get(trimmed) ?? trimmed)
    .join('_')
    .replaceAll(':', '_')
}

/** Moves a word to the end; appends the word if it is missing. */
function moved(words: readonly string[], last: string): string[] {
  return [...words.filter((word) => word !== last), last]
}

/** Caches of recently made names. */
const metricNames = new Map<string, string>()
const labelNames = new Map<string, string>()

/** Returns a cached name or makes it. Long names are not cached. */
function madeOnce(known: Map<string, string>, name: string, make: () => string): string {
  return name.length <= MAX_NAME_CHARS ? cached(known, name, make) : make()
}

type Named = Pick<Metric, 'name' | 'unit' | 'kind' | 'isMonotonic'>

/**
 * Returns the name of a metric in PromQL: letters, digits, `_` and `:`, followed by the metric's unit and, for a
 * counter, `_total`. The result is empty if the name has none of these characters.
 */
export function metricName(named: Named): string {
  const { name, unit, kind, isMonotonic } = named
  return madeOnce(metricNames, `${kind} ${isMonotonic} ${unit.length} ${unit}${name}`, () => madeName(named))
}

function madeName({ name, unit, kind, isMonotonic }: Named): string {
  let words = wordsOf(name)
  if (words.length === 0) return ''
  const stroke = unit.indexOf('/')
  const main = unitWord(stroke === -1 ? unit : unit.slice(0, stroke), UNITS)
  const per = stroke === -1 ? '' : unitWord(unit.slice(stroke + 1), PER_UNITS)
  const had = new Set(words)
  if (main !== '' && !had.has(main)) words.push(main)
  if (per !== '' && !had.has(per)) words.push('per', per)
  if (kind === 'sum' && isMonotonic) words = moved(words, 'total')
  if (kind === 'gauge' && unit === '1') words = moved(words, 'ratio')
  const joined = words.join('_')
  return /^\d/.test(joined) ? `_${joined}` : joined
}

/** Returns the name of a label in PromQL. */
export function labelName(key: string): string {
  return madeOnce(labelNames, key, () => {
    const name = key.replaceAll(/[^A-Za-z0-9_]/gu, '_')
    return /^\d/.test(name) ? `key_${name}` : /^_(?!_)/.test(name) ? `key${name}` : name
  })
}

/** Returns a number in the form of `le` and `quantile`: all digits, without an exponent. */
export function boundText(value: number): string {
  if (value === Infinity) return '+Inf'
  if (value === -Infinity) return '-Inf'
  const text = String(value)
  const [, sign = '', whole = '', fraction = '', exponent = ''] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  if (exponent === '') return text
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return sign + digits.slice(0, point).padEnd(point, '0') + (digits.length > point ? `.${digits.slice(point)}` : '')
}
