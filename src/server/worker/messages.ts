import type { RecordTableDefinition } from '../../plan/index.ts'
import type { MetricDescription, SamplesNews, TableNews } from '../../store/index.ts'
import type { BlockCounts } from '../../workers/index.ts'
import type { WorkerCall } from '../routes/definition/context.ts'
import type { ServerLimits } from '../settings/limits.ts'
import type { ToldOpener } from '../backends/served-opener.ts'
import type { NewsConnection } from './news.ts'

/** A backend that is replicated to workers, or that each of them opens. */
export type WorkerBackend =
  | { readonly id: string; readonly tables: readonly RecordTableDefinition[] }
  | { readonly id: string; readonly opener: ToldOpener }

/** Start data of a query worker. */
export interface QueryWorkerData {
  readonly backends: readonly WorkerBackend[]
  readonly limits: ServerLimits
  /** Size of its own block cache, bytes. */
  readonly cacheBytes: number
  /** Shared block cache, if rows are in files. */
  readonly sharedBlocks: SharedArrayBuffer | undefined
  /** Counts the answer blocks of all threads. */
  readonly answers: BlockCounts
}

/** Data for a query worker at its start, and when its backends change. */
export interface QueryWorkerTold {
  readonly news: NewsConnection
}

/** Changes of one backend. */
export interface QueryWorkerNews {
  readonly backend: string
  readonly table?: TableNews
  readonly samples?: SamplesNews
  readonly descriptions?: readonly MetricDescription[]
}

/** An authenticated request as data for a worker. */
export interface QueryWorkerRequest extends Omit<WorkerCall, 'signal'> {
  /** Current time of the query, ns. */
  readonly nowNs: bigint
}
