import type { WindowOrder } from './window-order.ts'

/** Returns the position of each row in its partition, counted from 1. */
export function rowNumbers({ rows, groups, groupCount }: WindowOrder): Float64Array {
  const seen = new Uint32Array(groupCount)
  const positions = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    positions[row] = ++seen[groups[row]]
  }
  return positions
}

/**
 * Returns the rank of each row: the position of the first row with equal keys. With `isDense`, the number of distinct
 * keys up to the row.
 */
export function ranks(order: WindowOrder, isDense: boolean): Float64Array {
  const { rows, groups, groupCount } = order
  const seen = new Uint32Array(groupCount)
  const last = new Uint32Array(groupCount)
  const rank = new Uint32Array(groupCount)
  const positions = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]
    const group = groups[row]
    const position = ++seen[group]
    if (position === 1 || !order.isTie(last[group], row)) rank[group] = isDense ? rank[group] + 1 : position
    last[group] = row
    positions[row] = rank[group]
  }
  return positions
}

/**
 * Returns for each row the row of the same partition `step` rows later, or earlier if `step` is negative. The number of
 * rows stands for "no row".
 */
export function neighbours(order: WindowOrder, step: number): Uint32Array {
  if (step === -1) return before(order)
  const { rows, starts } = order.slots()
  const none = rows.length
  const found = new Uint32Array(none)
  for (let group = 0; group < order.groupCount; group++) {
    const from = starts[group]
    const to = starts[group + 1]
    for (let i = from; i < to; i++) {
      const at = i + step
      found[rows[i]] = at >= from && at < to ? rows[at] : none
    }
  }
  return found
}

/**
 * Returns the previous row of each row in its partition. Step -1 is the most frequent one, so it has a way without
 * grouping rows by partition.
 */
function before({ rows, groups, groupCount }: WindowOrder): Uint32Array {
  const none = rows.length
  const last = new Uint32Array(groupCount).fill(none)
  const found = new Uint32Array(none)
  for (let i = 0; i < none; i++) {
    const row = rows[i]
    const group = groups[row]
    found[row] = last[group]
    last[group] = row
  }
  return found
}
