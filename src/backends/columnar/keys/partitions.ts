import type { Column } from '../../../data/index.ts'
import { GroupKeys } from './group-keys.ts'

/** The assignment of rows to partitions: rows with equal values in the partition columns. */
export interface Partitions {
  readonly groups: Uint32Array
  /** An exclusive upper bound of the numbers in `groups`; some partitions below it may have no rows. */
  readonly groupCount: number
}

/** Assigns each row to a partition by its values in these columns. Partitions are numbered in no particular order. */
export function partitionsOf(columns: readonly Column[], rowCount: number): Partitions {
  const keys = new GroupKeys(columns.length)
  const groups = keys.groupsOf(columns, rowCount)
  return { groups, groupCount: keys.groupCount }
}
