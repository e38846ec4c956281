import type { BlockCounts, PooledAnswer } from '../../../workers/index.ts'
import type { QueryLine } from '../../admission/admission.ts'
import type { AuthContext } from '../../auth/auth-context.ts'
import type { QueryServices } from './query-services.ts'
import type { AuditedDeletions } from '../../deletion/audited.ts'
import type { IngestService } from '../../ingest/ingest-service.ts'
import type { ResourceServices } from '../../resources/resource-services.ts'
import type { Clock, Logger } from '../../settings/environment.ts'
import type { ServerLimits } from '../../settings/limits.ts'

/** A request that was let in, for a query worker. */
export interface WorkerCall {
  /** The name of the route. */
  readonly route: string
  readonly path: ReadonlyMap<string, string>
  /** The query part of the address. */
  readonly search: string
  readonly accept: string | null
  readonly contentType: string | null
  readonly body: Uint8Array | undefined
  readonly backend: string | undefined
  /** The stored scopes of the caller's policies; `everything` only where no policy restricts the caller. */
  readonly scope: 'everything' | readonly unknown[]
  readonly keyId: string
  readonly traceId: string
  readonly signal: AbortSignal
}

/** Answers routes that are queries outside this thread. */
export interface QueryWorkers {
  answer(call: WorkerCall): Promise<PooledAnswer>
  /** Threads that are ready to answer. */
  readonly ready: () => number
  /** Whether all of them have been: calls that come before wait for its start. */
  readonly hasStarted: () => boolean
  /** Where calls wait for them; without one they wait before they are handed over. */
  readonly line?: QueryLine
}

/** Everything that the routes work with. A route whose service is absent does not exist. */
export interface ServerContext extends AuthContext, QueryServices, ResourceServices {
  readonly clock: Clock
  /** `count` random bytes; passed in so that a failure can be replayed. */
  readonly randomBytes: (count: number) => Uint8Array
  readonly log: Logger
  readonly limits: ServerLimits
  /** Counts the blocks of the answers of all threads; of this thread alone unless given. */
  readonly answers?: BlockCounts | undefined
  /** Whether questions can be answered already; also false while stopping. */
  readonly isReady: () => boolean
  /** Asks what the answers come from whether it is there; rejects with a SluiceError that says what is not. */
  readonly readiness?: (() => Promise<void>) | undefined
  /** Without them queries run in this thread. */
  readonly workers?: QueryWorkers | undefined
  /** Called when a query begins that this thread may answer from files; what it gives is called when it has ended. */
  readonly beginRead?: (() => () => void) | undefined
  /** Takes data in; without it the server only answers. */
  readonly ingest?: IngestService | undefined
  /** Takes rows out; without it none can be deleted. */
  readonly deletions?: AuditedDeletions | undefined
}
