import type { AlertingService } from '../../../alerting/index.ts'
import type { GroupStatus } from '../../../alerting/rules/index.ts'
import type { BlockCounts, PooledAnswer } from '../../../workers/index.ts'
import type { QueryLine } from '../../admission/admission.ts'
import type { AuthContext } from '../../auth/auth-context.ts'
import type { BuiltFiles } from '../../console/built-files.ts'
import type { QueryServices } from './query-services.ts'
import type { AuditedDeletions } from '../../deletion/audited.ts'
import type { IngestService } from '../../ingest/ingest-service.ts'
import type { ResourceServices } from '../../resources/resource-services.ts'
import type { LoadAgentEndpoint } from '../../settings/agents.ts'
import type { Clock, Logger, SlowQueryLog } from '../../settings/environment.ts'
import type { ServerLimits } from '../../settings/limits.ts'

/** An authenticated request for a query worker. */
export interface WorkerCall {
  /** Name of the route that answers the call. */
  readonly route: string
  readonly path: ReadonlyMap<string, string>
  /** Query string of the URL. */
  readonly search: string
  readonly accept: string | null
  readonly contentType: string | null
  /** Answer forms that a Loki client requests. */
  readonly encodingFlags: string | null
  readonly body: Uint8Array | undefined
  readonly backend: string | undefined
  /** Stored scopes of the caller's policies; `everything` only if no policy restricts the caller. */
  readonly scope: 'everything' | readonly unknown[]
  readonly keyId: string
  readonly traceId: string
  readonly signal: AbortSignal
}

/** Runs query routes outside this thread. */
export interface QueryWorkers {
  answer(call: WorkerCall): Promise<PooledAnswer>
  /** Returns the number of threads that are ready. */
  readonly ready: () => number
  /** True once all workers have been ready. Earlier calls wait for the start. */
  readonly hasStarted: () => boolean
  /** Queue of the workers. Without one, calls are queued before they are passed on. */
  readonly line?: QueryLine
}

/** Access to the alerting services of all backends. */
export interface AlertingAccess {
  /** Returns the service of a backend; `undefined` while stored data is being loaded. */
  of(backend: string): AlertingService | undefined
  /** Groups of rule files; none while stored data is being loaded. */
  rulesOf(backend: string): readonly GroupStatus[]
  /**
   * Moves the test clock to a time, Unix ms. Resolves when all evaluations and notifications that are due by that time
   * are done and written.
   */
  readonly moveClock?: ((toMs: number) => Promise<void>) | undefined
}

/** Context of all routes. A route whose service is missing does not exist. */
export interface ServerContext extends AuthContext, QueryServices, ResourceServices {
  readonly clock: Clock
  /** Returns random bytes; injected so that failures can be reproduced. */
  readonly randomBytes: (count: number) => Uint8Array
  readonly log: Logger
  readonly limits: ServerLimits
  /** Counts the answer blocks of all threads. Default: of this thread only. */
  readonly answers?: BlockCounts | undefined
  /** True if requests can be answered; false while the server is starting or stopping. */
  readonly isReady: () => boolean
  /** Checks whether the sources of data are available. Rejects with a SluiceError if one is not. */
  readonly readiness?: (() => Promise<void>) | undefined
  /** Without workers, queries run in this thread. */
  readonly workers?: QueryWorkers | undefined
  /**
   * Called at the start of a query that may read files in this thread. The returned function must be called at the end
   * of the query.
   */
  readonly beginRead?: (() => () => void) | undefined
  /** Stores data; without this service the server is read-only. */
  readonly ingest?: IngestService | undefined
  /** Evaluates monitors; without this service monitors are only stored. */
  readonly alerting?: AlertingAccess | undefined
  /** Receives slow queries. Default: they are not reported. */
  readonly slowQueries?: SlowQueryLog | undefined
  /** Origins whose pages may read answers (CORS). Default: none. */
  readonly cors?: readonly string[] | undefined
  /** Loads the MCP endpoint; without it there is no `/mcp`. */
  readonly mcp?: LoadAgentEndpoint | undefined
  /** Files of the console; without these files `/` is not a page. */
  readonly console?: BuiltFiles | undefined
  /** Deletes rows; without this service rows cannot be deleted. */
  readonly deletions?: AuditedDeletions | undefined
}
