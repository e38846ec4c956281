import type { Column } from '../../../data/index.ts'
import { GroupKeys } from './group-keys.ts'

/** The partition of each row. */
export interface Partitions {
  readonly groups: Uint32Array
  /** Larger than all of `groups`; some partitions below it may have no rows. */
  readonly groupCount: number
}

/** Returns the partitions of rows by the given columns, numbered in any order. */
export function partitionsOf(columns: readonly Column[], rowCount: number): Partitions {
  const keys = new GroupKeys(columns.length)
  const groups = keys.groupsOf(columns, rowCount)
  return { groups, groupCount: keys.groupCount }
}
