import type { Kernels } from '../kernels.ts'
import * as layout from '../layout.ts'
import type { Views } from './views.ts'

type GroupKernels = Pick<Kernels, 'sumExactly' | 'countByBits' | 'numberPairs'>

export function groupKernels({ words, ints, doubles }: Views): GroupKernels {
  /** Returns the index of a value's bucket among all buckets of all groups. */
  const bucketOf = (group: number, value: number, buckets: number, shift: number, base: number): number => {
    const high = ints[value * 2 + 1]
    const ordered = high ^ ((high >> 31) & 0x7fff_ffff)
    return words[group] * buckets + ((ordered >> shift) - base)
  }
  return {
    sumExactly(groups, values, valuesEnd, sums, cutHigh, cutLow, limit, misses) {
      let miss = misses >>> 2
      for (let at = values >>> 3, group = groups >>> 2; at < valuesEnd >>> 3; at++, group++) {
        const value = doubles[at]
        const high = value + cutHigh - cutHigh
        const rest = value - high
        const low = rest + cutLow - cutLow
        if (rest === low && Math.abs(value) <= limit) {
          const sum = (sums + words[group] * layout.SUM_BYTES) >>> 3
          doubles[sum] += high
          doubles[sum + 1] += low
          doubles[sum + 2]++
        } else words[miss++] = at << 3
      }
      return miss << 2
    },
    countByBits(groups, values, valuesEnd, buckets, shift, base, histogram) {
      for (let at = values >>> 3, group = groups >>> 2; at < valuesEnd >>> 3; at++, group++) {
        if (Number.isNaN(doubles[at])) continue
        words[(histogram >>> 2) + bucketOf(group, at, buckets, shift, base)]++
      }
    },
    numberPairs(lefts, leftsEnd, rights, table, size, added, count) {
      let known = count
      for (let left = lefts >>> 2, right = rights >>> 2; left < leftsEnd >>> 2; left++, right++) {
        const pair = Math.imul(words[left], size) + words[right]
        const slot = (table >>> 2) + pair
        if (words[slot] === 0) {
          words[(added >>> 2) + known - count] = pair
          words[slot] = ++known
        }
        words[left] = words[slot] - 1
      }
      return known
    },
  }
}
