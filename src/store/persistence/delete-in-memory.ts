import { runCooperatively } from '../../base/index.ts'
import { countBits } from '../../data/index.ts'
import type { MemoryTable } from '../memory/index.ts'
import type { FindRows } from './deletions.ts'
import { without } from './merging/merge.ts'
import { UnusedValues } from './unused-values.ts'

/**
 * Deletes rows of a table without files; resolves with the number of deleted rows. Calls for the same table must not
 * overlap.
 */
export async function deleteInMemory(table: MemoryTable, find: FindRows): Promise<number> {
  table.tails.closeAll()
  await runCooperatively(table.sealer.sealFull())
  const unused = new UnusedValues(table)
  let rows = 0
  for (const [segment, gone] of await find(table.segments.all)) {
    await runCooperatively(unused.add(segment, gone))
    const left = await runCooperatively(without(table, segment, gone))
    rows += countBits(gone)
    // Another task may have replaced the segment since it was searched.
    if (!table.segments.all.includes(segment)) continue
    table.segments.replace(new Set([segment]), left === undefined ? [] : [left])
  }
  if (rows > 0) await runCooperatively(unused.forget())
  return rows
}
