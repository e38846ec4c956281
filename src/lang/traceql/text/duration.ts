import { NS_PER_UNIT } from '../../../base/index.ts'

/** Units of TraceQL, which may be written without the Greek letter. */
const UNITS = new Map([...NS_PER_UNIT, ['us', 1_000n]])

/** Digits behind the point that count: a fraction of the largest unit with more of them is below 1 ns. */
const FRACTION_DIGITS = 18

/** Returns the nanoseconds of a duration token, such as `1h30m` or `1.5s`; a fraction of one is cut off. */
export function durationNs(image: string): bigint {
  let total = 0n
  for (const [, whole = '', fraction = '', unit = ''] of image.matchAll(/([0-9]*)\.?([0-9]*)([^0-9.]+)/g)) {
    const unitNs = UNITS.get(unit) ?? 0n
    const digits = fraction.slice(0, FRACTION_DIGITS)
    total += BigInt(whole) * unitNs + (BigInt(digits) * unitNs) / 10n ** BigInt(digits.length)
  }
  return total
}
