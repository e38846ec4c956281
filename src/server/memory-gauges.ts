import { getHeapStatistics } from 'node:v8'
import type { App } from './app.ts'
import type { MemoryBudget, MemoryShare } from './memory-shares.ts'
import type { QueryPool } from './worker/query-pool.ts'

/** Shows each share of the memory of the process, and what is used of it. */
export function addMemoryGauges(
  { telemetry, context: { limits }, bodyBytes, answerBytes }: App,
  { shares }: MemoryBudget,
  pool: QueryPool | undefined,
  storeBytes: () => number,
): void {
  const limit: Readonly<Record<MemoryShare, number>> = {
    ...shares,
    bodies: limits.ingestBytes,
    answers: limits.answersBytes,
  }
  telemetry.gauges('sluice_memory_limit_bytes', 'Shares of `--memory`, bytes.', 'share', () => limit)
  const used = async (): Promise<Partial<Record<MemoryShare, number>>> => {
    const workers = await pool?.memory()
    return {
      process: getHeapStatistics().total_heap_size,
      store: storeBytes(),
      queries: workers?.bufferBytes ?? 0,
      heaps: workers?.heapBytes ?? 0,
      bodies: bodyBytes(),
      answers: answerBytes(),
    }
  }
  telemetry.gauges('sluice_memory_bytes', 'Bytes that are used of each share of `--memory`.', 'share', used)
}
