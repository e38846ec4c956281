import { printNumberShort } from './shortest.ts'

/** Verbs of Go's `printf` for floating-point numbers. The caller handles upper case. */
export type FloatVerb = 'e' | 'f' | 'g' | 'x' | 'b'

/** Precision that means the fewest digits that parse to the same number; for `g`, `x` and `b`. */
export const SHORTEST = -1

/** Minimum decimal exponent from which `g` with `SHORTEST` writes an exponent. */
const SHORTEST_G_DIGITS = 6

const FRACTION_BITS = 52
const EXPONENT_BIAS = 1023

interface Decimal {
  /** Significant digits without trailing zeros; empty for zero. */
  readonly digits: string
  /** Position of the decimal point: the number is 0.digits × 10^point. */
  readonly point: number
}

function trimmed(digits: string, point: number): Decimal {
  const significant = digits.replace(/0+$/, '')
  return { digits: significant, point: significant === '' ? 0 : point }
}

/** Splits a finite number ≥ 0 into two integers: value = mantissa × 2^exponent. */
function binaryParts(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const biased = Number(bits >> BigInt(FRACTION_BITS))
  const fraction = bits & ((1n << BigInt(FRACTION_BITS)) - 1n)
  const mantissa = biased === 0 ? fraction : fraction | (1n << BigInt(FRACTION_BITS))
  return { mantissa, exponent: Math.max(biased, 1) - EXPONENT_BIAS - FRACTION_BITS }
}

function exactDecimal(value: number): Decimal {
  const { mantissa, exponent } = binaryParts(value)
  const isWhole = exponent >= 0
  // 2^-n equals 5^n × 10^-n.
  const digits = String(isWhole ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(-exponent))
  return trimmed(digits.replace(/^0+/, ''), digits.length + (isWhole ? 0 : exponent))
}

/** Rounds to a number of digits, which may be 0 or negative. Exact halves are rounded to the even digit. */
function rounded({ digits, point }: Decimal, count: number): Decimal {
  if (count >= digits.length) return { digits, point }
  if (count < 0) return trimmed('', 0)
  const rest = digits.slice(count)
  const isOdd = Number(digits[count - 1] ?? 0) % 2 === 1
  const isUp = rest[0] === '5' && rest.length === 1 ? isOdd : rest >= '5'
  const kept = BigInt(`0${digits.slice(0, count)}`) + (isUp ? 1n : 0n)
  const text = kept === 0n ? '' : String(kept).padStart(count, '0')
  return trimmed(text, point + Math.max(0, text.length - count))
}

function exponentText(exponent: number, mark: string): string {
  return `${mark}${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

function withExponent({ digits, point }: Decimal, precision: number): string {
  const fraction = digits.slice(1).padEnd(precision, '0')
  return `${digits[0] ?? '0'}${fraction === '' ? '' : `.${fraction}`}${exponentText(digits === '' ? 0 : point - 1, 'e')}`
}

function withoutExponent({ digits, point }: Decimal, precision: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0'
  const fraction = `${'0'.repeat(Math.max(0, -point))}${digits.slice(Math.max(0, point))}`.padEnd(precision, '0')
  return precision > 0 ? `${whole}.${fraction.slice(0, precision)}` : whole
}

function hexadecimal(value: number, precision: number): string {
  let { mantissa, exponent } = binaryParts(value)
  if (value === 0) return `0x0${precision > 0 ? `.${'0'.repeat(precision)}` : ''}p+00`
  const shift = BigInt(FRACTION_BITS + 1 - mantissa.toString(2).length)
  mantissa <<= shift
  exponent += FRACTION_BITS - Number(shift)
  const hexDigits = FRACTION_BITS / 4
  if (precision !== SHORTEST && precision < hexDigits) {
    const dropped = BigInt(4 * (hexDigits - precision))
    const half = 1n << (dropped - 1n)
    const rest = mantissa & ((1n << dropped) - 1n)
    mantissa >>= dropped
    if (rest > half || (rest === half && mantissa % 2n === 1n)) mantissa++
    mantissa <<= dropped
    if (mantissa >> BigInt(FRACTION_BITS + 1) === 1n) {
      mantissa >>= 1n
      exponent++
    }
  }
  const all = mantissa.toString(16).slice(1)
  const fraction = precision === SHORTEST ? all.replace(/0+$/, '') : all.padEnd(precision, '0').slice(0, precision)
  return `0x1${fraction === '' ? '' : `.${fraction}`}${exponentText(exponent, 'p')}`
}

function unsigned(value: number, verb: FloatVerb, precision: number): string {
  if (verb === 'x') return hexadecimal(value, precision)
  if (verb === 'b') {
    const { mantissa, exponent } = binaryParts(value)
    return `${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`
  }
  if (precision === SHORTEST) return printNumberShort(value, SHORTEST_G_DIGITS)
  const exact = exactDecimal(value)
  if (verb === 'e') return withExponent(rounded(exact, precision + 1), precision)
  if (verb === 'f') return withoutExponent(rounded(exact, exact.point + precision), precision)
  const most = Math.max(1, precision)
  const decimal = rounded(exact, most)
  const { digits, point } = decimal
  const limit = most > digits.length && digits.length >= point ? digits.length : most
  if (digits !== '' && (point - 1 < -4 || point - 1 >= limit)) return withExponent(decimal, digits.length - 1)
  return withoutExponent(decimal, Math.max(0, digits.length - point))
}

/**
 * Formats a number like Go. `precision` is the number of digits after the point, or for `g` the number of significant
 * digits; it may be `SHORTEST`. Infinities are `+Inf` and `-Inf`.
 */
export function formatFloat(value: number, verb: FloatVerb, precision: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  return sign + unsigned(Math.abs(value), verb, precision)
}

/** Formats a number with four significant digits, as Prometheus's humanizing functions do. */
export function fourDigits(value: number): string {
  return formatFloat(value, 'g', 4)
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const HEXADECIMAL = /^([+-]?)0[xX]_?([0-9a-fA-F_]*)(?:\.([0-9a-fA-F_]*))?[pP]([+-]?\d+)$/
const INFINITE = /^([+-]?)inf(?:inity)?$/i

/** Parses a number like Go; `undefined` if the string is not a number. A number out of range becomes infinite. */
export function parseFloat64(text: string): number | undefined {
  if (DECIMAL.test(text)) return Number(text)
  if (/^[+-]?nan$/i.test(text)) return NaN
  const infinite = INFINITE.exec(text)
  if (infinite !== null) return infinite[1] === '-' ? -Infinity : Infinity
  const [, sign, whole = '', fraction = '', exponent] = HEXADECIMAL.exec(text) ?? []
  const digits = `${whole}${fraction}`.replaceAll('_', '')
  if (exponent === undefined || digits === '') return undefined
  const shift = Number(exponent) - 4 * fraction.replaceAll('_', '').length
  // Multiplies in two steps, because `2 ** shift` may overflow or become 0.
  const half = Math.trunc(shift / 2)
  const value = Number(BigInt(`0x${digits}`)) * 2 ** half * 2 ** (shift - half)
  return sign === '-' ? -value : value
}
