import { runCooperatively } from '../../base/index.ts'
import { countBits } from '../../data/index.ts'
import type { MemoryTable } from '../memory/index.ts'
import type { FindRows } from './deletions.ts'
import { without } from './merging/merge.ts'
import { UnusedValues } from './unused-values.ts'

/** Deletes rows of a table without files; resolves with their number. Only one call for a table may run at a time. */
export async function deleteInMemory(table: MemoryTable, find: FindRows): Promise<number> {
  table.tails.closeAll()
  await runCooperatively(table.sealer.sealFull())
  const unused = new UnusedValues(table)
  let rows = 0
  for (const [segment, gone] of await find(table.segments.all)) {
    await runCooperatively(unused.add(segment, gone))
    const left = await runCooperatively(without(table, segment, gone))
    rows += countBits(gone)
    // The segment may have been replaced meanwhile.
    if (!table.segments.all.includes(segment)) continue
    table.segments.replace(new Set([segment]), left === undefined ? [] : [left])
  }
  if (rows > 0) await runCooperatively(unused.forget())
  return rows
}
