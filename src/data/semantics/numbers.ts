import { parseDurationNs } from '../../base/index.ts'
import { float, integer } from '../value.ts'
import { parseBytes } from './bytes.ts'

const MIN_INTEGER = -(2n ** 63n)
const MAX_INTEGER = 2n ** 64n - 1n

const PREFIXED = /^[+-]?0(?:[xX](?:_?[0-9a-fA-F])+|[bB](?:_?[01])+|[oO](?:_?[0-7])+)$/
const DECIMAL = /^[+-]?(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const INTEGER = /^[+-]?\d+(?:_\d+)*$/

/** Exact from -2^63 to 2^64-1; beyond, the nearest float. */
function exactInteger(value: bigint): number | bigint {
  return value >= MIN_INTEGER && value <= MAX_INTEGER ? integer(value) : Number(value)
}

function parseSpecial(text: string): number | undefined {
  const isSigned = text.startsWith('-') || text.startsWith('+')
  switch ((isSigned ? text.slice(1) : text).toLowerCase()) {
    case 'inf':
    case 'infinity':
      return text.startsWith('-') ? -Infinity : Infinity
    case 'nan':
      return isSigned ? undefined : NaN
    default:
      return undefined
  }
}

/** Up to 15 digits with an optional sign and a point between digits: what most numbers look like. */
function parseShort(text: string): number | undefined {
  let i = text.charCodeAt(0) === 45 ? 1 : 0
  const { length } = text
  if (length === i || length > 17) return undefined
  const start = i
  let point = -1
  for (; i < length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 48 && unit <= 57) continue
    if (unit !== 46 || point !== -1 || i === start || i === length - 1) return undefined
    point = i
  }
  return length - start - (point === -1 ? 0 : 1) > 15 ? undefined : float(Number(text))
}

/** Whether a text may be a number at all, by its first character. */
function looksNumeric(text: string): boolean {
  const unit = text.charCodeAt(0)
  return (
    (unit >= 48 && unit <= 57) ||
    unit === 45 ||
    unit === 43 ||
    unit === 46 ||
    unit === 73 ||
    unit === 105 ||
    unit === 78 ||
    unit === 110
  )
}

/**
 * A number literal: integer or float with `_` between digits, `0x`/`0b`/`0o`, exponent, `inf`, `nan`. Integers from
 * -2^63 to 2^64-1 are exact. `undefined` for any other text.
 */
export function parsePlainNumber(text: string): number | bigint | undefined {
  if (!looksNumeric(text)) return undefined
  const short = parseShort(text)
  if (short !== undefined) return short
  if (text.length > 400) return undefined
  if (INTEGER.test(text)) return exactInteger(BigInt(text.replaceAll(/[_+]/g, '')))
  if (DECIMAL.test(text)) return float(Number(text.replaceAll('_', '')))
  if (PREFIXED.test(text)) {
    const isNegative = text.startsWith('-')
    const digits = BigInt(text.replaceAll(/[_+-]/g, ''))
    return exactInteger(isNegative ? -digits : digits)
  }
  return parseSpecial(text)
}

/** As `parsePlainNumber`, then a duration in nanoseconds, then a size in bytes. */
export function parseNumber(text: string): number | bigint | undefined {
  const plain = parsePlainNumber(text)
  if (plain !== undefined) return plain
  const first = text.charCodeAt(text.charCodeAt(0) === 45 ? 1 : 0)
  if (!(first >= 48 && first <= 57)) return undefined
  const durationNs = parseDurationNs(text)
  return durationNs === undefined ? parseBytes(text) : integer(durationNs)
}
