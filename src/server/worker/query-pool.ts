import { MIB } from '../../base/index.ts'
import type { Clock } from '../../engine/index.ts'
import type { MessagePort } from 'node:worker_threads'
import { WorkerPool, type BlockCounts, type WorkerMemory } from '../../workers/index.ts'
import { waitedTooLong, type QueryLine } from '../admission/admission.ts'
import type { QueryWorkers } from '../routes/definition/context.ts'
import type { Logger } from '../settings/environment.ts'
import { shareOfKey, type ServerLimits } from '../settings/limits.ts'
import type { MemoryBudget } from '../admission/memory-shares.ts'
import type { QueryWorkerData, QueryWorkerRequest, QueryWorkerMessage, WorkerBackend } from './messages.ts'
import type { SharedBlocks } from '../../store/segments/index.ts'
import type { ReplicationSource } from './replication.ts'
import { moduleBeside } from '../../system/index.ts'

export interface QueryPoolOptions {
  readonly backends: readonly WorkerBackend[]
  /** Source of changes to the replicated backends. */
  readonly news: ReplicationSource
  readonly limits: ServerLimits
  readonly budget: Pick<MemoryBudget, 'workers' | 'hasReserved' | 'maxWorkers' | 'workerBytes'>
  /** Size of each worker's block cache, bytes. */
  readonly cacheBytes: number
  /** Block cache that all workers share. */
  readonly sharedBlocks: SharedBlocks | undefined
  /** Counts the blocks of all answers, of all threads. */
  readonly answers: BlockCounts
  readonly clock: Clock
  readonly timeoutMs: number
  readonly log: Logger
}

/** Query workers of a server. */
export class QueryPool implements QueryWorkers {
  readonly #pool: WorkerPool
  readonly #options: QueryPoolOptions

  constructor(options: QueryPoolOptions) {
    const { backends, news, limits, budget, cacheBytes, sharedBlocks, answers, log } = options
    this.#options = options
    const data: QueryWorkerData = { backends, limits, cacheBytes, sharedBlocks: sharedBlocks?.memory, answers }
    this.#pool = new WorkerPool({
      entry: moduleBeside(import.meta.url, 'query-worker'),
      data,
      workers: budget.workers,
      hasReserved: budget.hasReserved,
      maxWorkers: budget.maxWorkers,
      heapMiB: Math.floor(budget.workerBytes / MIB),
      runningJobs: limits.runningQueries,
      runningJobsPerKey: shareOfKey(limits.runningQueries),
      waitMs: limits.waitMs,
      refusal: waitedTooLong,
      firstMessage: () => {
        const message: QueryWorkerMessage = { news: news.connect() }
        return { what: message, transfer: [message.news.port] }
      },
      onExit: (threadId) => sharedBlocks?.lost(threadId),
      onLost: (why, error) => log.error({ why, error }, 'a query worker is lost'),
    })
  }

  ready(): number {
    return this.#pool.readyWorkers
  }

  hasStarted(): boolean {
    return this.#pool.hasStarted
  }

  memory(): Promise<WorkerMemory> {
    return this.#pool.memory()
  }

  get line(): QueryLine {
    return this.#pool
  }

  answer(call: Parameters<QueryWorkers['answer']>[0]): ReturnType<QueryWorkers['answer']> {
    const { signal, ...rest } = call
    const { clock, timeoutMs, news } = this.#options
    news.publishChanges?.()
    const request: QueryWorkerRequest = { ...rest, nowNs: clock.nowNs() }
    return this.#pool.answer({ key: call.keyId, request, signal, timeoutMs })
  }

  /** Runs the background task whose message is in the port on a worker. */
  background(port: MessagePort): void {
    this.#pool.background(port)
  }

  /** Makes every worker switch to new replicas as soon as they are complete. */
  reconnect(): void {
    this.#pool.tellAll()
  }

  async close(): Promise<void> {
    await this.#pool.close()
  }
}
