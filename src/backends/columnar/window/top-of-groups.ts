import { checkpoint } from '../../../base/index.ts'
import { gatherCodes } from '../../../data/index.ts'
import type { RowComparer } from '../keys/sort-keys.ts'
import type { Partitions } from '../keys/partitions.ts'

/** The first `keep` rows of each group in the order of a stable sort, ascending: one pass, a short list for each group. */
export function topOfGroups(
  groups: Uint32Array,
  groupCount: number,
  keep: number,
  comparers: readonly RowComparer[],
): Uint32Array {
  const kept = new Uint32Array(groupCount * keep)
  const counts = new Uint32Array(groupCount)
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row]
    const first = group * keep
    let at = first + counts[group]
    if (counts[group] < keep) counts[group]++
    else if (isBefore(row, kept[at - 1], comparers)) at--
    else continue
    // A row comes after those before it that are equal.
    while (at > first && isBefore(row, kept[at - 1], comparers)) {
      kept[at] = kept[at - 1]
      at--
    }
    kept[at] = row
  }
  let total = 0
  for (let group = 0; group < groupCount; group++) {
    for (let i = 0; i < counts[group]; i++) kept[total++] = kept[group * keep + i]
  }
  return kept.slice(0, total).sort()
}

function isBefore(a: number, b: number, comparers: readonly RowComparer[]): boolean {
  for (const compare of comparers) {
    const order = compare(a, b)
    if (order !== 0) return order < 0
  }
  return false
}

/**
 * The same rows in any order, of many groups: those of groups that have no more than `keep` are not compared. `comparersOf` gives what orders
 * the rows given, by their places among them.
 */
export function bestOfGroups(
  { groups, groupCount }: Partitions,
  keep: number,
  comparersOf: (rows: Uint32Array) => readonly RowComparer[],
): Uint32Array {
  const counts = new Uint32Array(groupCount)
  for (let row = 0; row < groups.length; row++) counts[groups[row]]++
  // By group: its number among those with more rows than `keep`, from 1.
  const numbers = new Uint32Array(groupCount)
  let largeCount = 0
  for (let group = 0; group < groupCount; group++) if (counts[group] > keep) numbers[group] = ++largeCount
  const all = new Uint32Array(groups.length)
  const large = new Uint32Array(groups.length)
  const ofLarge = new Uint32Array(groups.length)
  let count = 0
  for (let row = 0; row < groups.length; row++) {
    const number = numbers[groups[row]]
    all[row - count] = row
    large[count] = row
    ofLarge[count] = number - 1
    count += number === 0 ? 0 : 1
  }
  checkpoint()
  const rows = large.subarray(0, count)
  const best = topOfGroups(ofLarge.subarray(0, count), largeCount, keep, comparersOf(rows))
  checkpoint()
  all.set(gatherCodes(rows, best), groups.length - count)
  return all.subarray(0, groups.length - count + best.length)
}
