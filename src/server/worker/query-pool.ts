import type { Clock } from '../../engine/index.ts'
import { HelperThreads } from '../../helpers/index.ts'
import { WorkerPool, cores, mostWorkers } from '../../workers/index.ts'
import { waitedTooLong, type QueryLine } from '../admission.ts'
import type { Logger, QueryWorkers } from '../context.ts'
import { shareOfKey, type ServerLimits } from '../limits.ts'
import {
  sharingWord,
  type HelpWorkerData,
  type QueryWorkerData,
  type QueryWorkerRequest,
  type QueryWorkerTold,
  type WorkerBackend,
} from './messages.ts'
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
  readonly #helpers: HelperThreads
  readonly #sharing = new Int32Array(new SharedArrayBuffer(sharingWord.count * 4))

  constructor(options: QueryPoolOptions) {
    const { backends, news, limits, workers, heapMiB, cacheBytes, log } = options
    this.#options = options
    const threads = Math.min(workers, cores())
    const answersBytes = Math.ceil(limits.answersBytes / workers)
    const data: QueryWorkerData = {
      sharing: this.#sharing,
      sharesBelow: threads,
      backends,
      limits: { ...limits, answersBytes, answerBytes: Math.min(limits.answerBytes, shareOfKey(answersBytes)) },
      cacheBytes,
    }
    // The same file beside this one, whether compiled or not.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const helpData: HelpWorkerData = { cacheBytes }
    this.#helpers = new HelperThreads({
      threads: threads - 1,
      entry: new URL(`./help-worker.${extension}`, import.meta.url),
      data: helpData,
      heapMiB,
      onLost: (error) => log.error({ error }, 'a thread that helps with queries is lost'),
      onReplaced: () => this.#pool.tellAll(),
    })
    this.#pool = new WorkerPool({
      entry: new URL(`./query-worker.${extension}`, import.meta.url),
      data,
      workers,
      maxWorkers: Math.max(workers + 1, mostWorkers(heapMiB)),
      heapMiB,
      runningJobs: limits.runningQueries,
      runningJobsPerKey: shareOfKey(limits.runningQueries),
      waitMs: limits.waitMs,
      refusal: waitedTooLong,
      told: () => {
        const told: QueryWorkerTold = { news: news.connect(), helpers: this.#helpers.connect() }
        return { what: told, transfer: [told.news.port, ...told.helpers] }
      },
      onLost: (why, error) => log.error({ why, error }, 'a query worker is lost'),
    })
  }

  ready(): number {
    return this.#pool.readyWorkers
  }

  hasStarted(): boolean {
    return this.#pool.hasStarted
  }

  get line(): QueryLine {
    return this.#pool
  }

  answer(call: Parameters<QueryWorkers['answer']>[0]): ReturnType<QueryWorkers['answer']> {
    const { signal, ...rest } = call
    const { clock, timeoutMs, news } = this.#options
    news.look?.()
    const request: QueryWorkerRequest = { ...rest, nowNs: clock.nowNs() }
    const words = this.#sharing
    if (Atomics.load(words, sharingWord.isWanted) !== 0) this.#startHelpers()
    Atomics.add(words, sharingWord.inWork, 1)
    const answer = this.#pool.answer({ key: call.keyId, request, signal, timeoutMs })
    const done = (): void => void Atomics.sub(words, sharingWord.inWork, 1)
    answer.then(done, done)
    return answer
  }

  #startHelpers(): void {
    if (Atomics.exchange(this.#sharing, sharingWord.isThere, 1) === 0) this.#helpers.start()
  }

  /** Has every worker forget what it knows of the backends, as soon as it knows anew. */
  reconnect(): void {
    this.#pool.tellAll()
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.close(), this.#helpers.close()])
  }
}
