import type { RowComparer } from '../keys/sort-keys.ts'

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
