/** Nanoseconds of the units of a duration. */
const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
  ['d', 86_400_000_000_000n],
  ['w', 604_800_000_000_000n],
  ['y', 31_536_000_000_000_000n],
])

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
