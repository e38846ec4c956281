import { MIN_INT64, MS_NS } from '../../../base/index.ts'
import {
  ExpansionFault,
  formatFloat,
  fourDigits,
  GoDuration,
  GoTime,
  onStrings,
  onValue,
  parseFloat64,
  SHORTEST,
  timeText,
  typeName,
  type FunctionTable,
  type GoValue,
  type TemplateFunction,
} from '../../../functions/go-template/index.ts'
import { readDuration } from '../../../lang/promql/index.ts'
import type { AlertContext } from './context.ts'

const INT64_SIZE = 2 ** 63
const NS_PER_SECOND = 1e9

const LARGE = ['k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y']
const LARGE_BINARY = ['ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei', 'Zi', 'Yi']
const SMALL = ['m', 'u', 'n', 'p', 'f', 'a', 'z', 'y']

/** Converts a number or the text of one. Throws ExpansionFault for any other value. */
function toFloat(value: GoValue): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string')
    throw new ExpansionFault(`cannot convert a value of type ${typeName(value)} to a number`)
  const number = parseFloat64(value)
  if (number === undefined) throw new ExpansionFault(`${JSON.stringify(value)} is not a number`)
  if (!Number.isFinite(number) && /\d/.test(value)) throw new ExpansionFault(`${JSON.stringify(value)} is out of range`)
  return number
}

/** Converts to a 64-bit integer as Go does on common processors: a number out of range becomes the smallest integer. */
function toInt64(value: number): bigint {
  return value >= INT64_SIZE || value < -INT64_SIZE ? MIN_INT64 : BigInt(Math.trunc(value))
}

function onNumber(call: (value: number) => GoValue): TemplateFunction {
  return onValue((value) => call(toFloat(value)))
}

/** Divides by `base` while the number is at least `base`, and appends the unit prefix. */
function scaledDown(value: number, base: number, prefixes: readonly string[]): string {
  let scaled = value
  let prefix = ''
  for (const next of prefixes) {
    if (Math.abs(scaled) < base) break
    prefix = next
    scaled /= base
  }
  return `${fourDigits(scaled)}${prefix}`
}

/** Multiplies by 1000 while the number is below 1, and appends the unit prefix. */
function scaledUp(value: number): string {
  let scaled = value
  let prefix = ''
  for (const next of SMALL) {
    if (Math.abs(scaled) >= 1) break
    prefix = next
    scaled *= 1000
  }
  return `${fourDigits(scaled)}${prefix}`
}

function humanize(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return fourDigits(value)
  return Math.abs(value) >= 1 ? scaledDown(value, 1000, LARGE) : scaledUp(value)
}

function humanize1024(value: number): string {
  if (Math.abs(value) <= 1 || !Number.isFinite(value)) return fourDigits(value)
  return scaledDown(value, 1024, LARGE_BINARY)
}

function humanizeDuration(value: number): string {
  if (!Number.isFinite(value)) return fourDigits(value)
  if (value === 0) return `${fourDigits(value)}s`
  const size = Math.abs(value)
  if (size < 1) return `${scaledUp(value)}s`
  const sign = value < 0 ? '-' : ''
  const total = toInt64(size)
  const [seconds, minutes, hours, days] = [total % 60n, (total / 60n) % 60n, (total / 3600n) % 24n, total / 86_400n]
  if (days !== 0n) return `${sign}${days}d ${hours}h ${minutes}m ${seconds}s`
  if (hours !== 0n) return `${sign}${hours}h ${minutes}m ${seconds}s`
  if (minutes !== 0n) return `${sign}${minutes}m ${seconds}s`
  return `${sign}${fourDigits(size)}s`
}

/** Converts Unix seconds to a time in whole milliseconds. Throws ExpansionFault outside the years 1677 to 2262. */
function toTime(seconds: number): GoTime {
  const ns = seconds * NS_PER_SECOND
  if (Number.isNaN(ns) || ns > INT64_SIZE || ns < -INT64_SIZE) {
    const text = formatFloat(seconds, 'g', SHORTEST)
    throw new ExpansionFault(`${text} seconds since 1970 are beyond the range of times`)
  }
  return new GoTime((toInt64(ns) / MS_NS) * MS_NS)
}

/** Parses a Prometheus duration such as `1h30m` to seconds. */
function parseDuration(text: string): number {
  const result = readDuration(text)
  if ('error' in result) throw new ExpansionFault(result.error)
  return result.value
}

export const numberFunctions: FunctionTable<AlertContext> = {
  humanize: onNumber(humanize),
  humanize1024: onNumber(humanize1024),
  humanizeDuration: onNumber(humanizeDuration),
  humanizePercentage: onNumber((value) => `${fourDigits(value * 100)}%`),
  humanizeTimestamp: onNumber((value) => (Number.isFinite(value) ? timeText(toTime(value).ns) : fourDigits(value))),
  toTime: onNumber(toTime),
  toDuration: onNumber((value) => new GoDuration(toInt64(value * NS_PER_SECOND))),
  parseDuration: onStrings(1, (text = '') => parseDuration(text)),
  now: { parameters: [], call: (_, { data }) => data.nowMs / 1000 },
}
