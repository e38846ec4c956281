/** Every finite float is a multiple of 2^-1074. */
const UNIT_EXPONENT = 1074n

/** Returns a finite number as a whole number of units of 2^-1074. */
export function unitsOf(value: number | bigint): bigint {
  if (typeof value === 'bigint') return value << UNIT_EXPONENT
  let exponent = 0
  let mantissa = value
  // Doubling is exact; it is repeated until the number is an integer.
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2
    exponent++
  }
  return BigInt(mantissa) << (UNIT_EXPONENT - BigInt(exponent))
}

/** Returns the float nearest to `units / count` × 2^-1074; ties to even. */
export function nearestOf(units: bigint, count: bigint): number {
  if (units < 0n) return -nearestOf(-units, count)
  let quotient = units / count
  let isInexact = quotient * count !== units
  let exponent = -1074
  while (quotient >= 2n ** 64n) {
    isInexact ||= (quotient & 1n) === 1n
    quotient >>= 1n
    exponent++
  }
  if (quotient < 2n ** 53n) {
    // The quotient has fewer bits than a float, so rounding depends on the remainder.
    const twice = 2n * (units - (units / count) * count)
    if (exponent === -1074 && (twice > count || (twice === count && (quotient & 1n) === 1n))) quotient++
    return Number(quotient) * 2 ** exponent
  }
  return (Number((quotient << 1n) | (isInexact ? 1n : 0n)) / 2) * 2 ** exponent
}

/** Returns the square root of the float nearest to `numerator / denominator`, as if floats had unlimited exponents. */
export function rootOf(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0
  // Scaling by a power of four brings the quotient near one, so that it fits into a float.
  const power = Math.floor((bitsOf(numerator) - bitsOf(denominator)) / 2)
  const [top, bottom] =
    power < 0 ? [numerator << BigInt(-2 * power), denominator] : [numerator, denominator << BigInt(2 * power)]
  const half = Math.trunc(power / 2)
  return Math.sqrt(nearestOf(top << UNIT_EXPONENT, bottom)) * 2 ** half * 2 ** (power - half)
}

function bitsOf(value: bigint): number {
  return value.toString(2).length
}
