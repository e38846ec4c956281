import { rowsOf, type Row } from '../../../data/index.ts'
import { Pace } from '../../http/pace.ts'
import type { SearchAnswer } from '../service-interfaces.ts'

/** Reads all rows of a small answer. */
export async function readRows(answer: SearchAnswer): Promise<readonly Row[]> {
  const rows: Row[] = []
  const pace = new Pace()
  for await (const batch of answer.batches()) {
    rows.push(...rowsOf(batch))
    await pace.turn()
  }
  return rows
}
