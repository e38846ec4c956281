import * as layout from '../layout'
import { DOT, MINUS, ZERO, ZEROS } from './ascii'

/**
 * Writes numbers as decimal text. As `String` does, it writes the fewest digits that read back as the same double, and
 * among several such decimals the nearest. The method is Raffaello Giulietti's Schubfach: the interval of decimals
 * around the double is scaled by a 128-bit power of ten, rounded to odd, and the shortest decimal in the interval is
 * taken.
 */

const HUNDRED_MILLION: u64 = 100_000_000
const TEN_TO_16: u64 = 10_000_000_000_000_000

/**
 * Returns whether `writeNumber` can write the value. It cannot write numbers that need an exponent, infinities, NaN or
 * -0.
 */
export function isPlainNumber(value: f64): bool {
  const size = abs(value)
  return (size >= 1e-6 && size < 1e21) || reinterpret<u64>(value) == 0
}

/**
 * Returns the eight decimal digits of a number below 10^8 as eight bytes from 0 to 9, the first digit in the lowest
 * byte. It splits the number into halves three times.
 */
export function eightDigits(value: u64): u64 {
  let high = value / 10_000
  const fours = high | ((value - high * 10_000) << 32)
  high = ((fours * 10_486) >> 20) & 0x7f_0000_007f
  const twos = high | ((fours - high * 100) << 16)
  high = ((twos * 103) >> 10) & 0xf_000f_000f_000f
  return high | ((twos - high * 10) << 8)
}

/** Returns the number of leading zeros among eight digits, at most seven: a zero is written as one digit. */
function leadingZeros(digits: u64): u32 {
  return u32(ctz(digits | (1 << 56)) >> 3)
}

/** Returns the number of zeros at the end of eight digits. */
function trailingZeros(digits: u64): u32 {
  return u32(clz(digits) >> 3)
}

/** Writes an integer of at most sixteen digits and returns the address after its last digit. */
export function writeWhole(value: u64, out: usize): usize {
  const front = value / HUNDRED_MILLION
  const digits = eightDigits(front == 0 ? value : front)
  const skipped = leadingZeros(digits)
  store<u64>(out, (digits + ZEROS) >> u64(skipped << 3))
  out += 8 - skipped
  if (front == 0) return out
  store<u64>(out, eightDigits(value - front * HUNDRED_MILLION) + ZEROS)
  return out + 8
}

/** Returns the upper 64 bits of a product. */
function multiplyHigh(a: u64, b: u64): u64 {
  const aLow = a & 0xffff_ffff
  const aHigh = a >> 32
  const bLow = b & 0xffff_ffff
  const bHigh = b >> 32
  const middle = aHigh * bLow + ((aLow * bLow) >> 32)
  const last = aLow * bHigh + (middle & 0xffff_ffff)
  return aHigh * bHigh + (middle >> 32) + (last >> 32)
}

/**
 * Returns the upper 64 bits of `value` times a 128-bit power of ten. Its last bit is set if any of the discarded bits
 * is set (rounding to odd).
 */
function scaled(value: u64, powerLow: u64, powerHigh: u64): u64 {
  const low = multiplyHigh(powerLow, value)
  const middle = powerHigh * value + low
  const high = multiplyHigh(powerHigh, value) + u64(middle < low)
  return high | u64(middle > 1)
}

/** The decimal exponent of the latest result of `shortestDigits`. */
let power: i32 = 0

/**
 * Returns the digits of the shortest decimal that reads back as a positive double, as an integer. The value is this
 * integer times ten to the power of `power`.
 */
function shortestDigits(value: f64, tables: usize): u64 {
  const bits = reinterpret<u64>(value)
  const exponent = i32(bits >> 52) - 1075
  const fraction = bits & 0xf_ffff_ffff_ffff
  // Below a power of two the next double is half as far away as above it.
  const isPower = fraction == 0
  const whole = fraction | 0x10_0000_0000_0000
  power = (exponent * 1_262_611 - i32(isPower) * 524_031) >> 22
  const shift = u64(exponent + 1 + ((-power * 1_741_647) >> 19))
  const entry = tables + (-layout.Decimal.FIRST_POWER - power) * layout.Decimal.POWER_BYTES
  const powerLow = load<u64>(entry)
  const powerHigh = load<u64>(entry, 8)
  // An odd double does not include the ends of its interval.
  const isOdd = whole & 1
  const nearest = scaled((whole << 2) << shift, powerLow, powerHigh)
  const upper = scaled(((whole << 2) + 2) << shift, powerLow, powerHigh) - isOdd
  const lower = scaled(((whole << 2) - 2 + u64(isPower)) << shift, powerLow, powerHigh) + isOdd

  const cut = nearest >> 2
  const shorter = cut / 10
  const isShorterIn = lower <= shorter * 40
  const isNextShorterIn = shorter * 40 + 40 <= upper
  if (isShorterIn != isNextShorterIn) {
    power++
    return shorter + u64(isNextShorterIn)
  }
  const isCutIn = lower <= cut << 2
  const isNextIn = (cut << 2) + 4 <= upper
  if (isCutIn != isNextIn) return cut + u64(isNextIn)
  const half = (cut << 2) + 2
  return cut + u64(nearest > half || (nearest == half && (cut & 1) != 0))
}

/** Copies the seventeen digits at `from` to `out`. */
function copyDigits(from: usize, out: usize): void {
  v128.store(out, v128.load(from))
  v128.store(out, v128.load(from, 16), 16)
}

/**
 * Writes `digits` times ten to the power of `exponent`. The digits are first written to scratch memory between zeros,
 * from which the final text is copied.
 */
function writeDigits(digits: u64, exponent: i32, out: usize, scratch: usize): usize {
  const first = digits / TEN_TO_16
  const others = digits - first * TEN_TO_16
  const front = others / HUNDRED_MILLION
  const frontDigits = eightDigits(front)
  const backDigits = eightDigits(others - front * HUNDRED_MILLION)
  store<u8>(scratch, ZERO + u8(first))
  store<u64>(scratch, frontDigits + ZEROS, 1)
  store<u64>(scratch, backDigits + ZEROS, 9)
  const skipped = first == 0 ? 1 + leadingZeros(frontDigits) : 0
  const dropped = backDigits == 0 ? 8 + trailingZeros(frontDigits) : trailingZeros(backDigits)
  const from = scratch + skipped
  const count = i32(17 - skipped - dropped)
  const beforeDot = i32(17 - skipped) + exponent
  if (beforeDot > 0) {
    copyDigits(from, out)
    out += beforeDot
    if (count <= beforeDot) return out
    store<u8>(out, DOT)
    copyDigits(from + beforeDot, out + 1)
    return out + 1 + count - beforeDot
  }
  store<u64>(out, ZEROS)
  store<u8>(out, DOT, 1)
  out += 2 - beforeDot
  copyDigits(from, out)
  return out + count
}

/**
 * Writes a number for which `isPlainNumber` holds and returns the address after it. `tables` is the address of the
 * decimal tables.
 */
export function writeNumber(value: f64, out: usize, tables: usize): usize {
  if (value < 0) {
    store<u8>(out++, MINUS)
    value = -value
  }
  if (value < 9_007_199_254_740_992 && value == trunc(value)) return writeWhole(u64(value), out)
  const digits = shortestDigits(value, tables)
  return writeDigits(digits, power, out, tables + layout.Decimal.POWERS_BYTES)
}
