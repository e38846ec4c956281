import { readGoDuration, readSize } from '../../../functions/logql/index.ts'
import { quoteText } from '../../promql/text/go-text.ts'

const NS_PER_MS = 1e6

/** Milliseconds of Prometheus's duration units, from large to small. */
const PROMETHEUS_UNITS: readonly (readonly [unit: string, ms: number])[] = [
  ['y', 31_536_000_000],
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
]

/** Longest duration of 64 bits, in ns: about 292 years. */
const MAX_DURATION_NS = 2 ** 63

const PROMETHEUS_DURATION = new RegExp(`^${PROMETHEUS_UNITS.map(([unit]) => `(?:([0-9]+)${unit})?`).join('')}$`)

/**
 * Reads a duration of a range, such as `1h30m`: whole numbers, each unit at most once, from large to small. An error is
 * in the reference's words.
 */
export function readRange(text: string): { readonly ms: number } | { readonly error: string } {
  if (text === '0') return { ms: 0 }
  if (text === '') return { error: 'empty duration string' }
  const match = PROMETHEUS_DURATION.exec(text)
  if (match === null) return { error: rangeError(text) }
  const ms = PROMETHEUS_UNITS.reduce((sum, [, unit], i) => sum + Number(match[i + 1] ?? 0) * unit, 0)
  return ms * NS_PER_MS >= MAX_DURATION_NS ? { error: 'duration out of range' } : { ms }
}

/** Says why a text is no duration, by its first part that has no number, an unknown unit or a unit out of order. */
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

/** Reads a duration outside of brackets, in ns: Prometheus's form, else Go's, such as `-1.5s`. */
export function readDurationNs(text: string): number | undefined {
  const range = readRange(text)
  if ('ms' in range && text !== '0') return range.ms * NS_PER_MS
  const ns = readGoDuration(text)
  return typeof ns === 'number' ? Math.trunc(ns) : undefined
}

/** Writes a duration as Go does: `1h30m0s`, `1.5ms`. */
export function printDurationNs(ns: number): string {
  if (ns === 0) return '0s'
  const sign = ns < 0 ? '-' : ''
  const size = Math.abs(ns)
  const fraction = (unit: number, name: string): string => `${sign}${trimmed(size, unit)}${name}`
  if (size < 1e3) return fraction(1, 'ns')
  if (size < 1e6) return fraction(1e3, 'µs')
  if (size < 1e9) return fraction(1e6, 'ms')
  const hours = Math.floor(size / 3.6e12)
  const minutes = Math.floor((size % 3.6e12) / 6e10)
  const seconds = `${trimmed(size % 6e10, 1e9)}s`
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`
}

/** Returns the exact decimal of `whole / unit`, for a unit that is a power of ten. */
function trimmed(whole: number, unit: number): string {
  const digits = String(unit).length - 1
  const fraction = String(whole % unit)
    .padStart(digits, '0')
    .replace(/0+$/, '')
  return `${Math.floor(whole / unit)}${fraction === '' || digits === 0 ? '' : `.${fraction}`}`
}

/** Writes a duration as Prometheus does, without units that are zero: `1h30m`. */
export function printRange(ms: number): string {
  if (ms === 0) return '0s'
  const parts: string[] = []
  let rest = Math.abs(ms)
  for (const [unit, size] of PROMETHEUS_UNITS) {
    // Years and weeks are written only if nothing remains, since `53w` reads better than `1y6d`.
    if ((unit === 'y' || unit === 'w') && rest % size !== 0) continue
    const count = Math.floor(rest / size)
    if (count === 0) continue
    parts.push(`${count}${unit}`)
    rest -= count * size
  }
  return `${ms < 0 ? '-' : ''}${parts.join('')}`
}

/** Reads a size with a unit, in bytes, such as `1.5KiB`. */
export function readBytes(text: string): number | undefined {
  const bytes = readSize(text)
  return typeof bytes === 'number' ? bytes : undefined
}

const DECIMAL_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB']

/** Writes a size rounded to two or three digits, such as `1.5MB`. */
function roundedBytes(bytes: number): string {
  if (bytes < 10) return `${bytes}B`
  const power = Math.floor(Math.log10(bytes) / 3 + Number.EPSILON)
  const value = Math.floor((bytes / 1000 ** power) * 10 + 0.5) / 10
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)}${DECIMAL_UNITS[power] ?? ''}`
}

/** Writes a size in its shortest form that reads back as the same number of bytes: `1.5MB`, `1024B`. */
export function printBytes(bytes: number): string {
  const rounded = roundedBytes(bytes)
  return readBytes(rounded) === bytes ? rounded : `${bytes}B`
}
