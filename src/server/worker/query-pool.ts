import type { Clock } from '../../engine/index.ts'
import { WorkerPool } from '../../workers/index.ts'
import { waitedTooLong, type QueryLine } from '../admission.ts'
import type { Logger, QueryWorkers } from '../context.ts'
import { shareOfKey, type ServerLimits } from '../limits.ts'
import type { QueryWorkerData, QueryWorkerRequest, WorkerBackend } from './messages.ts'
import type { NewsSource } from './news.ts'

export interface QueryPoolOptions {
  readonly backends: readonly WorkerBackend[]
  /** What the backends hold whose rows workers are told. */
  readonly news: NewsSource
  readonly limits: ServerLimits
  readonly workers: number
  readonly heapMiB: number
  /** What of segments on the disk each of them may hold in memory, bytes. */
  readonly cacheBytes: number
  readonly clock: Clock
  readonly timeoutMs: number
  readonly log: Logger
}

/** Threads that answer the queries of a server. */
export class QueryPool implements QueryWorkers {
  readonly #pool: WorkerPool
  readonly #options: QueryPoolOptions

  constructor(options: QueryPoolOptions) {
    const { backends, news, limits, workers, heapMiB, cacheBytes, log } = options
    this.#options = options
    const answersBytes = Math.ceil(limits.answersBytes / workers)
    const data: QueryWorkerData = {
      backends,
      limits: { ...limits, answersBytes, answerBytes: Math.min(limits.answerBytes, shareOfKey(answersBytes)) },
      cacheBytes,
    }
    // The same file beside this one, whether compiled or not.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    this.#pool = new WorkerPool({
      entry: new URL(`./query-worker.${extension}`, import.meta.url),
      data,
      workers,
      heapMiB,
      runningJobs: limits.runningQueries,
      runningJobsPerKey: shareOfKey(limits.runningQueries),
      waitMs: limits.waitMs,
      refusal: waitedTooLong,
      told: () => {
        const connection = news.connect()
        return { what: connection, transfer: [connection.port] }
      },
      onLost: (why, error) => log.error({ why, error }, 'a query worker is lost'),
    })
  }

  ready(): number {
    return this.#pool.readyWorkers
  }

  get line(): QueryLine {
    return this.#pool
  }

  answer(call: Parameters<QueryWorkers['answer']>[0]): ReturnType<QueryWorkers['answer']> {
    const { signal, ...rest } = call
    const { clock, timeoutMs, news } = this.#options
    news.look?.()
    const request: QueryWorkerRequest = { ...rest, nowNs: clock.nowNs() }
    return this.#pool.answer({ key: call.keyId, request, signal, timeoutMs })
  }

  /** Has every worker forget what it knows of the backends, as soon as it knows anew. */
  reconnect(): void {
    this.#pool.tellAll()
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
