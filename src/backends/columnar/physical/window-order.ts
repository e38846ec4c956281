import { sortedOrder, type RowComparer } from '../sort-keys.ts'

/** Rows such that those of each partition stand in window order: by the keys, equal ones in input order. */
export class WindowOrder {
  readonly rows: Uint32Array
  /** The partition of each row. */
  readonly groups: Uint32Array
  readonly groupCount: number
  readonly #comparers: readonly RowComparer[]
  #slots: PartitionSlots | undefined

  constructor(groups: Uint32Array, groupCount: number, comparers: readonly RowComparer[]) {
    this.groups = groups
    this.groupCount = groupCount
    this.#comparers = comparers
    const rows = new Uint32Array(groups.length)
    for (let row = 0; row < rows.length; row++) rows[row] = row
    if (putRunsInOrder(rows, comparers)) {
      this.rows = rows
      return
    }
    const slots = partitionSlots(rows, groups, groupCount)
    for (let group = 0; group < groupCount; group++) {
      const own = slots.rows.subarray(slots.starts[group], slots.starts[group + 1])
      if (!putRunsInOrder(own, comparers)) sortRows(own, comparers)
    }
    this.rows = slots.rows
    this.#slots = slots
  }

  /** Whether two rows are equal by all keys. */
  isTie(a: number, b: number): boolean {
    return this.#comparers.every((compare) => compare(a, b) === 0)
  }

  /** The same rows, those of a partition side by side. */
  slots(): PartitionSlots {
    return (this.#slots ??= partitionSlots(this.rows, this.groups, this.groupCount))
  }
}

export interface PartitionSlots {
  readonly rows: Uint32Array
  /** Partition `g` is `rows[starts[g], starts[g + 1])`. */
  readonly starts: Uint32Array
}

function partitionSlots(rows: Uint32Array, groups: Uint32Array, groupCount: number): PartitionSlots {
  const starts = new Uint32Array(groupCount + 1)
  for (let row = 0; row < groups.length; row++) starts[groups[row] + 1]++
  for (let group = 0; group < groupCount; group++) starts[group + 1] += starts[group]
  const next = starts.slice(0, groupCount)
  const slots = new Uint32Array(rows.length)
  for (let i = 0; i < rows.length; i++) slots[next[groups[rows[i]]]++] = rows[i]
  return { rows: slots, starts }
}

/**
 * Puts ascending rows in order where that takes no sorting: they are in order already, or turned round, as newest first
 * against an order by the time. False when they are neither; nothing has moved then.
 */
function putRunsInOrder(rows: Uint32Array, comparers: readonly RowComparer[]): boolean {
  const [first, second] = comparers
  if (first === undefined || rows.length < 2) return true
  const compare = second === undefined ? first : allOf(comparers)
  let isUp = true
  let isDown = true
  for (let i = 1; i < rows.length; i++) {
    const order = compare(rows[i - 1], rows[i])
    if (order > 0) isUp = false
    else if (order < 0) isDown = false
    if (!isUp && !isDown) return false
  }
  if (isUp) return true
  rows.reverse()
  for (let from = 0; from < rows.length;) {
    let to = from + 1
    while (to < rows.length && compare(rows[from], rows[to]) === 0) to++
    if (to - from > 1) rows.subarray(from, to).reverse()
    from = to
  }
  return true
}

function allOf(comparers: readonly RowComparer[]): RowComparer {
  return (a, b) => {
    for (const compare of comparers) {
      const order = compare(a, b)
      if (order !== 0) return order
    }
    return 0
  }
}

/** Sorts ascending rows by the keys. */
function sortRows(rows: Uint32Array, comparers: readonly RowComparer[]): void {
  const before = rows.slice()
  const order = sortedOrder(
    rows.length,
    comparers.map(
      (compare): RowComparer =>
        (a, b) =>
          compare(before[a], before[b]),
    ),
  )
  for (let i = 0; i < rows.length; i++) rows[i] = before[order[i]]
}
