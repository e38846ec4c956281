import { Budget } from '../../base/index.ts'
import { rowsOf, type RecordBatch, type Row } from '../../data/index.ts'
import { defaultEngineLimits } from '../../engine/index.ts'
import { Pace } from '../http/pace.ts'

/** Limits of a request for the data that its handler collects. */
export interface Collecting {
  readonly context: { readonly limits: { readonly queryBytes?: number | undefined; readonly queryMs: number } }
  readonly caller: { readonly signal?: AbortSignal | undefined }
}

/** Calls `take` for each row, and yields to other requests. */
export async function eachRow(batches: AsyncIterable<RecordBatch>, take: (row: Row) => void): Promise<void> {
  const pace = new Pace()
  for await (const batch of batches) {
    for (const row of rowsOf(batch)) take(row)
    await pace.turn()
  }
}

/** Returns a budget for memory and time of collecting rows in a handler. */
export function budgetOf({ context: { limits }, caller }: Collecting): Budget {
  const memoryBytes = limits.queryBytes ?? defaultEngineLimits.memoryBytes
  const bounds = { memoryBytes, timeoutMs: limits.queryMs, scanRows: Infinity }
  return new Budget(bounds, () => performance.now(), caller.signal)
}
