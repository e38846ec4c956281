import type { Value } from '../../data/index.ts'
import type { ModelRow } from './model-row.ts'
import { areSameKeys } from './order.ts'

export interface Group {
  readonly keys: readonly Value[]
  readonly rows: ModelRow[]
}

/** Rows with the same keys together, groups in the order in which they first appear. */
export function groupRows(rows: readonly ModelRow[], keysOf: (row: ModelRow) => readonly Value[]): readonly Group[] {
  const groups: Group[] = []
  for (const row of rows) {
    const keys = keysOf(row)
    const group = groups.find((known) => areSameKeys(known.keys, keys))
    if (group === undefined) groups.push({ keys, rows: [row] })
    else group.rows.push(row)
  }
  return groups
}
