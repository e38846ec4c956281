import { sortedOrder, type RowComparer } from '../keys/sort-keys.ts'

/** Rows sorted for window functions: within each partition by the sort keys, rows with equal keys in input order. */
export class WindowOrder {
  readonly rows: Uint32Array
  /** The partition number of each row. */
  readonly groups: Uint32Array
  readonly groupCount: number
  readonly #comparers: readonly RowComparer[]
  #slots: PartitionSlots | undefined

  private constructor(rows: Uint32Array, groups: Uint32Array, groupCount: number, comparers: readonly RowComparer[]) {
    this.rows = rows
    this.groups = groups
    this.groupCount = groupCount
    this.#comparers = comparers
  }

  static of(groups: Uint32Array, groupCount: number, comparers: readonly RowComparer[]): WindowOrder {
    return new WindowOrder(sortedOrder(groups.length, comparers), groups, groupCount, comparers)
  }

  /** True if two rows are equal in all sort keys. */
  isTie(a: number, b: number): boolean {
    return this.#comparers.every((compare) => compare(a, b) === 0)
  }

  /** Returns the rows grouped by partition; within a partition the order is unchanged. */
  slots(): PartitionSlots {
    return (this.#slots ??= partitionSlots(this.rows, this.groups, this.groupCount))
  }
}

export interface PartitionSlots {
  readonly rows: Uint32Array
  /** The start of each partition: the rows of partition `g` are `rows[starts[g], starts[g + 1])`. */
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
