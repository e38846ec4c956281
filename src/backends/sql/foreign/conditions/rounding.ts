const buffer = new DataView(new ArrayBuffer(8))
const BIAS = 1075
const FRACTION_BITS = 52n

/** Splits a non-negative float into a whole significand and an exponent: `value` is `significand * 2 ** exponent`. */
function partsOf(value: number): { readonly significand: bigint; readonly exponent: number } {
  buffer.setFloat64(0, value)
  const bits = buffer.getBigUint64(0)
  const stored = Number((bits >> FRACTION_BITS) & 0x7ffn)
  const fraction = bits & (2n ** FRACTION_BITS - 1n)
  return stored === 0
    ? { significand: fraction, exponent: 1 - BIAS }
    : { significand: fraction + 2n ** FRACTION_BITS, exponent: stored - BIAS }
}

/** Writes `whole * 2 ** exponent` exactly as a decimal. */
function decimal(whole: bigint, exponent: number): string {
  if (exponent >= 0) return String(whole << BigInt(exponent))
  const places = -exponent
  const digits = String(whole * 5n ** BigInt(places)).padStart(places + 1, '0')
  const fraction = digits.slice(-places).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`
}

/**
 * The interval of the real numbers that are rounded to one float. The ends are decimals; an end that is `undefined` is
 * infinite.
 */
export interface Rounding {
  readonly min: string | undefined
  readonly max: string | undefined
  /** True if both ends belong to the interval. */
  readonly isIncluded: boolean
}

/** Returns the interval of numbers whose nearest float is `value`, which must not be NaN. */
export function roundsTo(value: number): Rounding {
  if (value < 0) {
    const { min, max, isIncluded } = roundsTo(-value)
    const negative = (text: string | undefined): string | undefined => (text === undefined ? undefined : `-${text}`)
    return { min: negative(max), max: negative(min), isIncluded }
  }
  if (value === 0) {
    const half = decimal(1n, -BIAS)
    return { min: `-${half}`, max: half, isIncluded: true }
  }
  if (value === Infinity) return { min: decimal(2n ** 54n - 1n, 970), max: undefined, isIncluded: true }
  const { significand, exponent } = partsOf(value)
  // Floats just below a power of two are half as far apart as floats just above.
  const isPower = significand === 2n ** FRACTION_BITS && exponent > 1 - BIAS
  return {
    min: isPower ? decimal(4n * significand - 1n, exponent - 2) : decimal(2n * significand - 1n, exponent - 1),
    max: decimal(2n * significand + 1n, exponent - 1),
    isIncluded: significand % 2n === 0n,
  }
}
