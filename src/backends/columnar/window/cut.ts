import { work } from '../../../base/index.ts'
import type { Partitions } from '../keys/partitions.ts'

/**
 * Given rows in partition order, returns the rows at positions `[offset, end)` of each partition, and the position of
 * each row, counted from 1.
 */
export function cut(
  order: Uint32Array,
  partitions: Partitions | undefined,
  offset: number,
  end: number,
): { readonly rows: Uint32Array; readonly ranks: Float64Array } {
  if (partitions === undefined) {
    const rows = order.slice(offset, Math.min(end, order.length))
    const ranks = new Float64Array(rows.length)
    for (let i = 0; i < ranks.length; i++) ranks[i] = offset + i + 1
    return { rows, ranks }
  }
  work(order.length >>> 4)
  const { groups, groupCount } = partitions
  const seen = new Uint32Array(groupCount)
  const rows = new Uint32Array(order.length)
  const ranks = new Float64Array(order.length)
  let count = 0
  for (let i = 0; i < order.length; i++) {
    const row = order[i]
    const position = seen[groups[row]]++
    if (position < offset || position >= end) continue
    rows[count] = row
    ranks[count++] = position + 1
  }
  return { rows: rows.subarray(0, count), ranks: ranks.subarray(0, count) }
}

/**
 * Returns the rows at positions `[offset, end)` of their groups, in input order. `seen` holds the number of earlier
 * rows in each group; it is updated.
 */
export function rowsAtPositions(groups: Uint32Array, seen: Uint32Array, offset: number, end: number): Uint32Array {
  const rows = new Uint32Array(groups.length)
  let count = 0
  for (let row = 0; row < groups.length; row++) {
    const position = seen[groups[row]]++
    if (position >= offset && position < end) rows[count++] = row
  }
  return rows.slice(0, count)
}
