import { quoteAsGo } from '../../data/index.ts'

export type UnwrapConversion = 'bytes' | 'duration' | 'duration_seconds'

const DURATION_UNITS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
}

/** Parses a duration in Go's notation (`1h2m3.5s`) to ns. If it is invalid, returns the reason in Go's wording. */
export function readGoDuration(text: string): number | { readonly reason: string } {
  const invalid = { reason: `time: invalid duration ${quoteAsGo(text)}` }
  const unsigned = text.replace(/^[+-]/, '')
  if (unsigned === '0') return 0
  if (unsigned === '') return invalid
  let ns = 0
  const part = /(\d+\.?\d*|\.\d+)([^\d.]*)/y
  while (part.lastIndex < unsigned.length) {
    const found = part.exec(unsigned)
    if (found === null) return invalid
    const [, digits = '', unit = ''] = found
    if (unit === '') return { reason: `time: missing unit in duration ${quoteAsGo(text)}` }
    const factor = DURATION_UNITS[unit]
    if (factor === undefined) return { reason: `time: unknown unit ${quoteAsGo(unit)} in duration ${quoteAsGo(text)}` }
    ns += Number(digits) * factor
  }
  if (!(ns <= 2 ** 63)) return invalid
  return text.startsWith('-') ? -ns : ns
}

const PREFIXES = ['', 'k', 'm', 'g', 't', 'p', 'e']

/** Returns the number of bytes of a unit: 1000 for `kb`, 1024 for `kib`. The `b` is optional. */
function bytesOfUnit(unit: string): number | undefined {
  const [, prefix = '', binary] = /^([kmgtpe]?)(i?)b?$/.exec(unit) ?? [undefined]
  const power = PREFIXES.indexOf(prefix)
  if (binary === undefined || (binary === 'i' && power === 0)) return undefined
  return (binary === 'i' ? 1024 : 1000) ** power
}

/** Parses a number as Go does; `undefined` for other strings. */
export function readGoFloat(text: string): number | undefined {
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text)
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  return /^[+-]?nan$/i.test(text) ? NaN : undefined
}

/** Returns Go's message for a string that is not a number. */
export function badGoFloat(text: string): string {
  return `strconv.ParseFloat: parsing ${quoteAsGo(text)}: invalid syntax`
}

/**
 * Parses a size such as `1.5 MB` to bytes, the default unit. If it is invalid, returns the reason in Loki's wording.
 */
export function readSize(text: string): number | { readonly reason: string } {
  const [digits = ''] = /^[\d.,]*/.exec(text) ?? []
  const number = readGoFloat(digits.replaceAll(',', ''))
  if (number === undefined) return { reason: badGoFloat(digits.replaceAll(',', '')) }
  const unit = text.slice(digits.length).trim().toLowerCase()
  const factor = bytesOfUnit(unit)
  if (factor === undefined) return { reason: `unhandled size name: ${unit}` }
  return Math.floor(number * factor)
}

/**
 * Returns the number that `unwrap` reads from a label; durations are in seconds. If the value is invalid, returns the
 * reason in Loki's wording.
 */
export function readUnwrapped(
  text: string,
  conversion: UnwrapConversion | undefined,
): number | { readonly reason: string } {
  if (conversion === undefined) return readGoFloat(text) ?? { reason: badGoFloat(text) }
  if (conversion === 'bytes') return readSize(text)
  const ns = readGoDuration(text)
  return typeof ns === 'number' ? ns / 1e9 : ns
}
