import type { Value } from '../../data/index.ts'
import type { ModelRow } from './model-row.ts'
import { tupleKeyOf } from './order.ts'

export interface ModelGroup {
  readonly keys: readonly Value[]
  readonly rows: ModelRow[]
}

/** Groups rows with equal keys. Groups are in order of first appearance. */
export function groupRows(
  rows: readonly ModelRow[],
  keysOf: (row: ModelRow) => readonly Value[],
): readonly ModelGroup[] {
  const groups = new Map<string, ModelGroup>()
  for (const row of rows) {
    const keys = keysOf(row)
    const text = tupleKeyOf(keys)
    const group = groups.get(text)
    if (group === undefined) groups.set(text, { keys, rows: [row] })
    else group.rows.push(row)
  }
  return [...groups.values()]
}
