import * as layout from '../layout'

/**
 * Rounds `value` to a multiple of the last binary digit of `by`, which must be larger: the sum with `by` drops all
 * lower digits.
 */
function cut(value: f64, by: f64): f64 {
  return value + by - by
}

/** See `Kernels.sumExactly`. */
export function sumExactly(
  groups: usize,
  values: usize,
  valuesEnd: usize,
  sums: usize,
  cutHigh: f64,
  cutLow: f64,
  limit: f64,
  misses: usize,
): usize {
  for (; values < valuesEnd; groups += 4, values += 8) {
    const value = load<f64>(values)
    const high = cut(value, cutHigh)
    const rest = value - high
    const low = cut(rest, cutLow)
    if (rest == low && abs(value) <= limit) {
      const sum = sums + load<u32>(groups) * layout.SUM_BYTES
      const parts = f64x2.replace_lane(f64x2.splat(high), 1, low)
      v128.store(sum, f64x2.add(v128.load(sum), parts))
      store<f64>(sum, load<f64>(sum, 16) + 1, 16)
    } else {
      store<usize>(misses, values)
      misses += 4
    }
  }
  return misses
}

/**
 * Returns the index of a value's bucket in the histogram of all groups. Within a group it comes from the upper 32 bits
 * of the double, mapped to an integer that grows with the value, without its last `shift` bits.
 */
function bucketOf(groups: usize, values: usize, buckets: u32, shift: u32, base: i32): u32 {
  const high = load<i32>(values, 4)
  const ordered = high ^ ((high >> 31) & 0x7fff_ffff)
  return load<u32>(groups) * buckets + ((ordered >> shift) - base)
}

/** See `Kernels.countByBits`. */
export function countByBits(
  groups: usize,
  values: usize,
  valuesEnd: usize,
  buckets: u32,
  shift: u32,
  base: i32,
  histogram: usize,
): void {
  for (; values < valuesEnd; groups += 4, values += 8) {
    const value = load<f64>(values)
    if (value != value) continue
    const count = histogram + (bucketOf(groups, values, buckets, shift, base) << 2)
    store<u32>(count, load<u32>(count) + 1)
  }
}

/** See `Kernels.numberPairs`. */
export function numberPairs(
  lefts: usize,
  leftsEnd: usize,
  rights: usize,
  table: usize,
  size: u32,
  added: usize,
  count: u32,
): u32 {
  for (; lefts < leftsEnd; lefts += 4, rights += 4) {
    const pair = load<u32>(lefts) * size + load<u32>(rights)
    const slot = table + (pair << 2)
    let number = load<u32>(slot)
    if (number == 0) {
      store<u32>(added, pair)
      added += 4
      number = ++count
      store<u32>(slot, number)
    }
    store<u32>(lefts, number - 1)
  }
  return count
}
