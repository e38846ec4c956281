import type { RecordTableDefinition } from '../../plan/index.ts'
import type { MetricDescription, SamplesNews, TableNews } from '../../store/index.ts'
import type { BlockCounts } from '../../workers/index.ts'
import type { WorkerCall } from '../routes/definition/context.ts'
import type { ServerLimits } from '../settings/limits.ts'
import type { ToldOpener } from '../backends/served-opener.ts'
import type { NewsConnection } from './news.ts'

/** A backend that workers are told the rows of, or that each of them opens. */
export type WorkerBackend =
  | { readonly id: string; readonly tables: readonly RecordTableDefinition[] }
  | { readonly id: string; readonly opener: ToldOpener }

/** What a query worker is started with. */
export interface QueryWorkerData {
  readonly backends: readonly WorkerBackend[]
  readonly limits: ServerLimits
  /** What of segments on the disk it may hold in memory, bytes. */
  readonly cacheBytes: number
  /** Blocks of files that some thread has read, where rows lie in files. */
  readonly sharedBlocks: SharedArrayBuffer | undefined
  /** Counts the blocks of the answers of all threads. */
  readonly answers: BlockCounts
}

/** What a query worker is told at its start, and again when its backends are others. */
export interface QueryWorkerTold {
  readonly news: NewsConnection
}

/** What is new in one backend. */
export interface QueryWorkerNews {
  readonly backend: string
  readonly table?: TableNews
  readonly samples?: SamplesNews
  readonly descriptions?: readonly MetricDescription[]
}

/** A request that was let in, as data: what a worker knows of it and of who sent it. */
export interface QueryWorkerRequest extends Omit<WorkerCall, 'signal'> {
  /** The time of the query. */
  readonly nowNs: bigint
}
