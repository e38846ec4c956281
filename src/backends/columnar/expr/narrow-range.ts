import type { Bitmap, Float64Column, ValueTestOf } from '../../../data/index.ts'
import { zoneRows, type ZoneMap } from '../../../store/index.ts'

type RangeTest = ValueTestOf<'range'>

/** True if the tested range may contain a number of a column whose numbers lie between `min` and `max`. */
export function canReach(min: number, max: number, test: RangeTest): boolean {
  return (
    (test.isMinIncluded ? max >= test.min : max > test.min) && (test.isMaxIncluded ? min <= test.max : min < test.max)
  )
}

/** Clears the rows of all zones (blocks of rows with known minimum and maximum) that have no number in the range. */
export function skipZones(zones: ZoneMap, test: RangeTest, mask: Bitmap): void {
  const words = zoneRows >>> 5
  // Reads each property only once, since each access may be a lookup in a file.
  const { mins, maxs } = zones
  for (let zone = 0; zone < mins.length; zone++) {
    if (!canReach(mins[zone], maxs[zone], test)) mask.fill(0, zone * words, (zone + 1) * words)
  }
}

/** Returns the smallest and largest double in the range; `undefined` when a bound is outside the range of doubles. */
export function closedRange({
  min,
  max,
  isMinIncluded,
  isMaxIncluded,
}: RangeTest): readonly [number, number] | undefined {
  if (typeof min === 'bigint' || typeof max === 'bigint') return undefined
  // An exclusive bound equals an inclusive bound at the next double.
  return [isMinIncluded ? min : nextUp(min), isMaxIncluded ? max : -nextUp(-max)]
}

/** Clears the rows whose number is not in the range. NaN, which also stands for missing values, never passes. */
export function narrowByRange(column: Float64Column, test: RangeTest, mask: Bitmap): void {
  const closed = closedRange(test)
  if (closed === undefined) {
    narrowExactly(column, test, mask)
    return
  }
  const { values, length } = column
  const [low, high] = closed
  for (let i = 0; i < mask.length; i++) {
    let word = mask[i]
    if (word === 0) continue
    const base = i << 5
    if (word === -1 >>> 0 && base + 32 <= length) {
      let bits = 0
      for (let k = 0; k < 32; k++) {
        const value = values[base + k]
        if (value >= low && value <= high) bits |= 1 << k
      }
      mask[i] = bits
      continue
    }
    let kept = word
    while (word !== 0) {
      const lowest = word & -word
      const value = values[base + 31 - Math.clz32(lowest)]
      if (!(value >= low && value <= high)) kept ^= lowest
      word ^= lowest
    }
    mask[i] = kept
  }
}

function narrowExactly(column: Float64Column, test: RangeTest, mask: Bitmap): void {
  const { min, max, isMinIncluded, isMaxIncluded } = test
  const { values } = column
  for (let i = 0; i < mask.length; i++) {
    for (let word = mask[i]; word !== 0; word &= word - 1) {
      const bit = word & -word
      const value = values[(i << 5) + 31 - Math.clz32(bit)]
      if (!((isMinIncluded ? value >= min : value > min) && (isMaxIncluded ? value <= max : value < max)))
        mask[i] ^= bit
    }
  }
}

const double = new Float64Array(1)
const bits = new BigInt64Array(double.buffer)

/** Returns the next larger double; infinity and NaN are returned unchanged. */
function nextUp(value: number): number {
  if (!(value < Infinity)) return value === Infinity ? NaN : value
  if (value === 0) return Number.MIN_VALUE
  double[0] = value
  bits[0] += value > 0 ? 1n : -1n
  return double[0]
}
