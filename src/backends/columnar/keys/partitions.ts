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
  const [only, ...others] = columns
  const byCode = only === undefined || others.length > 0 ? undefined : codePartitions(only)
  if (byCode !== undefined) return byCode
  const keys = new GroupKeys(columns.length)
  const groups = keys.groupsOf(columns, rowCount)
  return { groups, groupCount: keys.groupCount }
}

/**
 * Of texts of one dictionary the codes are the partitions. `undefined` for other columns, and where the dictionary has more
 * entries than there are rows: what is kept by partition would outgrow the rows.
 */
function codePartitions(column: Column): Partitions | undefined {
  if (column.kind !== 'dictionary') return undefined
  const { codes, dictionary, length } = column
  if (!dictionary.isAllText || dictionary.size > length) return undefined
  const groups = Uint32Array.from(codes.subarray(0, length))
  // What is missing and '' are one key.
  const [empty = 0] = dictionary.findFolded('')
  if (empty !== 0) for (let row = 0; row < length; row++) if (groups[row] === empty) groups[row] = 0
  return { groups, groupCount: dictionary.size }
}
