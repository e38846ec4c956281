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
  /** Name of the route. */
  readonly route: string
  readonly path: ReadonlyMap<string, string>
  /** Query string of the URL. */
  readonly search: string
  readonly accept: string | null
  readonly contentType: string | null
  /** Forms of an answer that a client of Loki asks for. */
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
  /** Number of ready threads. */
  readonly ready: () => number
  /** True after all were ready once: earlier calls wait for the start. */
  readonly hasStarted: () => boolean
  /** Queue of calls; without one they wait before they are handed over. */
  readonly line?: QueryLine
}

/** The evaluation of monitors and rules, by backend id. */
export interface AlertingAccess {
  /** `undefined` while stored data is being loaded. */
  of(backend: string): AlertingService | undefined
  /** Groups of rule files; none while stored data is being loaded. */
  rulesOf(backend: string): readonly GroupStatus[]
  /** Moves the test clock to a time in milliseconds; resolves when all that is due by then is done and written. */
  readonly moveClock?: ((toMs: number) => Promise<void>) | undefined
}

/** Context of all routes. A route whose service is missing does not exist. */
export interface ServerContext extends AuthContext, QueryServices, ResourceServices {
  readonly clock: Clock
  /** Returns `count` random bytes; injected so that failures can be replayed. */
  readonly randomBytes: (count: number) => Uint8Array
  readonly log: Logger
  readonly limits: ServerLimits
  /** Counts the answer blocks of all threads. Default: of this thread. */
  readonly answers?: BlockCounts | undefined
  /** True if requests can be answered; false while stopping. */
  readonly isReady: () => boolean
  /** Checks the sources of answers; rejects with a SluiceError for an unavailable one. */
  readonly readiness?: (() => Promise<void>) | undefined
  /** Without workers, queries run in this thread. */
  readonly workers?: QueryWorkers | undefined
  /** Called at the start of a query that this thread may answer from files; its result is called at the end. */
  readonly beginRead?: (() => () => void) | undefined
  /** Stores data; without it the server is read-only. */
  readonly ingest?: IngestService | undefined
  /** Evaluates monitors; without it they are only stored. */
  readonly alerting?: AlertingAccess | undefined
  /** Default: slow queries are not reported. */
  readonly slowQueries?: SlowQueryLog | undefined
  /** Origins whose pages may read answers. Default: none. */
  readonly cors?: readonly string[] | undefined
  /** Endpoint of agents; without it there is no `/mcp`. */
  readonly mcp?: LoadAgentEndpoint | undefined
  /** Files of the console; without them `/` is not a page. */
  readonly console?: BuiltFiles | undefined
  /** Deletes rows; without it none can be deleted. */
  readonly deletions?: AuditedDeletions | undefined
}
