import type { RecordTableDefinition } from '../../plan/index.ts'
import type { MetricDescription, SamplesDelta, TableDelta } from '../../store/index.ts'
import type { BlockCounts } from '../../workers/index.ts'
import type { WorkerCall } from '../routes/definition/context.ts'
import type { ServerLimits } from '../settings/limits.ts'
import type { SentOpener } from '../backends/served-opener.ts'
import type { ReplicationConnection } from './replication.ts'

/** A backend of a worker: either replicated to the worker, or opened by the worker. */
export type WorkerBackend =
  | { readonly id: string; readonly tables: readonly RecordTableDefinition[] }
  | { readonly id: string; readonly opener: SentOpener }

/** Data that a query worker receives when it starts. */
export interface QueryWorkerData {
  readonly backends: readonly WorkerBackend[]
  readonly limits: ServerLimits
  /** Size of the worker's own block cache, bytes. */
  readonly cacheBytes: number
  /** Block cache that all workers share; `undefined` if rows are not in files. */
  readonly sharedBlocks: SharedArrayBuffer | undefined
  /** Counts the answer blocks of all threads. */
  readonly answers: BlockCounts
}

/** Message to a query worker at its start and when its backends are replaced. */
export interface QueryWorkerMessage {
  readonly news: ReplicationConnection
}

/** Changes of one backend. */
export interface QueryWorkerDelta {
  readonly backend: string
  readonly table?: TableDelta
  readonly samples?: SamplesDelta
  readonly descriptions?: readonly MetricDescription[]
}

/** An authenticated request that can be posted to a worker. */
export interface QueryWorkerRequest extends Omit<WorkerCall, 'signal'> {
  /** Current time of the query, ns. */
  readonly nowNs: bigint
}
