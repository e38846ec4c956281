import type { Column } from '../../../data/index.ts'
import { GroupKeys } from './group-keys.ts'

/** The partition of each row. */
export interface Partitions {
  readonly groups: Uint32Array
  /** Above all of `groups`; some partitions below it may have no rows. */
  readonly groupCount: number
}

/** The partitions of rows by the columns given, numbered in no order. */
export function partitionsOf(columns: readonly Column[], rowCount: number): Partitions {
  const keys = new GroupKeys(columns.length)
  const groups = keys.groupsOf(columns, rowCount)
  return { groups, groupCount: keys.groupCount }
}
