import { readGoDuration } from '../../functions/logql/index.ts'
import { quoteText } from '../promql/text/go-text.ts'
import { matching, matchNumber } from './patterns.ts'

const NS_PER_MS = 1e6

/** Milliseconds per duration unit of Prometheus, from the largest unit to the smallest. */
export const PROMETHEUS_UNITS: readonly (readonly [unit: string, ms: number])[] = [
  ['y', 31_536_000_000],
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
]

/** Limit of durations, 2^63 ns (about 292 years), because they are 64-bit integers in ns. */
const MAX_DURATION_NS = 2 ** 63

const PROMETHEUS_DURATION = new RegExp(`^${PROMETHEUS_UNITS.map(([unit]) => `(?:([0-9]+)${unit})?`).join('')}$`)

/**
 * Parses the duration of a range, such as `1h30m`: integers with units, each unit at most once, largest unit first.
 * `error` has Loki's wording.
 */
export function readRange(text: string): { readonly ms: number } | { readonly error: string } {
  if (text === '0') return { ms: 0 }
  if (text === '') return { error: 'empty duration string' }
  const match = PROMETHEUS_DURATION.exec(text)
  if (match === null) return { error: rangeError(text) }
  const ms = PROMETHEUS_UNITS.reduce((sum, [, unit], i) => sum + Number(match[i + 1] ?? 0) * unit, 0)
  return ms * NS_PER_MS >= MAX_DURATION_NS ? { error: 'duration out of range' } : { ms }
}

/**
 * Returns the error message for an invalid duration: names the first part without a number, with an unknown unit, or
 * with a unit out of order.
 */
function rangeError(text: string): string {
  const invalid = `not a valid duration string: ${quoteText(text)}`
  let rest = text
  let last = -1
  while (rest !== '') {
    const [part = '', digits = '', unit = ''] = /^([0-9]*)([^0-9]*)/.exec(rest) ?? []
    if (digits === '' || unit === '') return invalid
    const order = PROMETHEUS_UNITS.findIndex(([name]) => name === unit)
    if (order === -1) return `unknown unit ${quoteText(unit)} in duration ${quoteText(text)}`
    if (order <= last) return invalid
    last = order
    rest = rest.slice(part.length)
  }
  return invalid
}

/**
 * Parses a duration outside brackets to ns, in Prometheus's form or in Go's, such as `-1.5s`; `undefined` if it has
 * neither form.
 */
export function readDurationNs(text: string): number | undefined {
  const range = readRange(text)
  if ('ms' in range && text !== '0') return range.ms * NS_PER_MS
  const ns = readGoDuration(text)
  return typeof ns === 'number' ? Math.trunc(ns) : undefined
}

/** Maximum length of a duration after its first number, in characters. Bounds the time to match one duration. */
const MAX_UNITS_LENGTH = 64

const matchUnits = matching(new RegExp(`[nuµμmshdwy0-9.]{1,${MAX_UNITS_LENGTH + 1}}`, 'u'))

/**
 * Returns the duration that starts at an offset: a sign of `signLength` characters, then numbers with valid units.
 * `undefined` if there is none.
 */
export function matchDuration(text: string, offset: number, signLength = 0): string | undefined {
  const first = offset + signLength
  const number = matchNumber(text, first)
  if (number === undefined) return undefined
  const units = matchUnits(text, first + number.length)
  if (units === undefined || units.length > MAX_UNITS_LENGTH) return undefined
  const image = text.slice(offset, first + number.length + units.length)
  return readDurationNs(image) === undefined ? undefined : image
}
