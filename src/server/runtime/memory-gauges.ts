import type { SharedBlocks } from '../../store/segments/index.ts'
import type { App } from '../app/app.ts'
import type { MemoryBudget, MemoryShare } from '../admission/memory-shares.ts'
import type { QueryPool } from '../worker/query-pool.ts'

/** Objects that report the used memory of each share. */
export interface MeasuredMemory {
  readonly app: App
  readonly budget: MemoryBudget
  readonly pool: QueryPool | undefined
  readonly sharedBlocks: SharedBlocks | undefined
}

/** Adds gauges for the limit and usage of each memory share. */
export function addMemoryGauges(
  { app, budget: { shares }, pool, sharedBlocks }: MeasuredMemory,
  storeBytes: () => number,
): void {
  const { telemetry, context, bodyBytes, answerBytes } = app
  const { limits } = context
  const limit: Readonly<Record<MemoryShare, number>> = {
    ...shares,
    bodies: limits.ingestBytes,
    answers: limits.answersBytes,
  }
  telemetry.gauges('sluice_memory_limit_bytes', 'Limit of each share of `--memory`, bytes.', 'share', () => limit)
  if (sharedBlocks !== undefined)
    telemetry.counted(
      'sluice_cache_shared_reads_total',
      'Blocks that a query worker read from the shared cache.',
      () => sharedBlocks.hits,
    )
  const used = async (): Promise<Partial<Record<MemoryShare, number>>> => {
    const workers = await pool?.memory()
    const counted = {
      store: storeBytes(),
      cache: sharedBlocks?.usedBytes ?? NaN,
      queries: workers?.bufferBytes ?? 0,
      heaps: workers?.heapBytes ?? 0,
      bodies: bodyBytes(),
      answers: answerBytes(),
    }
    // `process` is the resident memory that no other share counts, so that the shares add up to it.
    const others = Object.values(counted).reduce((sum, bytes) => sum + (Number.isNaN(bytes) ? 0 : bytes), 0)
    return { process: Math.max(0, process.memoryUsage.rss() - others), ...counted }
  }
  telemetry.gauges('sluice_memory_bytes', 'Bytes in use, by share of `--memory`.', 'share', used)
}
