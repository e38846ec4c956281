import { NS_PER_UNIT } from '../../../base/index.ts'

/** Units of durations, in ns. `us` is an alternative spelling of `µs`. */
const UNITS = new Map([...NS_PER_UNIT, ['us', 1_000n]])

/** Maximum number of fraction digits that are used. Even for the largest unit, further digits are below 1 ns. */
const FRACTION_DIGITS = 18

/** Returns the nanoseconds of a duration token, such as `1h30m` or `1.5s`, truncated to an integer. */
export function durationNs(image: string): bigint {
  let total = 0n
  for (const [, whole = '', fraction = '', unit = ''] of image.matchAll(/([0-9]*)\.?([0-9]*)([^0-9.]+)/g)) {
    const unitNs = UNITS.get(unit) ?? 0n
    const digits = fraction.slice(0, FRACTION_DIGITS)
    total += BigInt(whole) * unitNs + (BigInt(digits) * unitNs) / 10n ** BigInt(digits.length)
  }
  return total
}
