import type { DataScope } from '../policy/index.ts'
import type { BlockCounts, PooledAnswer } from '../workers/index.ts'
import type { MonitorFilter, MonitorRow, MonitorService, PolicyService, SilenceService } from '../resources/index.ts'
import type { Monitor } from '../wire/index.ts'
import type { AuditedDeletions } from './deletion/audited.ts'
import type { FieldService } from './fields/field-service.ts'
import type { QueryLine } from './admission.ts'
import type { IngestService } from './ingest/ingest-service.ts'
import type { KeySource, Role } from './keys.ts'
import type { ServerLimits } from './limits.ts'
import type {
  Caller,
  ClusterService,
  EventListService,
  MetricReadService,
  MetricService,
  SearchDomain,
  SearchService,
  WorkloadService,
} from './service-interfaces.ts'

export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number
}

/** Structured log lines; the members of `fields` never hold a key or a body. */
export interface Logger {
  info(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}

/** What the policies of one user allow. */
export interface Access {
  /** `undefined` when the policies name no roles. */
  readonly roles: ReadonlySet<Role> | undefined
  /** `undefined` is everything. */
  readonly scope: DataScope | undefined
  /** The stored scopes that `scope` was made of: what a query worker makes it of again. */
  readonly storedScopes?: readonly unknown[] | undefined
}

export type Reached = Access | 'none'

export interface AccessService {
  /**
   * Policies speak per backend. Who has policies, but none on this backend, has no access to it, unless the key names it
   * (`isNamed`): then it is as for someone without policies.
   */
  accessOf(email: string | undefined, backend: string | undefined, isNamed: boolean): Reached | Promise<Reached>
}

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
  /** Whether there has been one: calls that come before wait for its start. */
  readonly hasStarted: () => boolean
  /** Where calls wait for them; without one they wait before they are handed over. */
  readonly line?: QueryLine
}

/** Whom a key is not asked of: programs of this machine, everyone, or nobody. */
export const openToWords = ['loopback', 'everyone', 'nobody'] as const
export type OpenTo = (typeof openToWords)[number]

/** Everything that the routes work with. A route whose service is absent does not exist. */
export interface ServerContext {
  readonly clock: Clock
  /** `count` random bytes; passed in so that a failure can be replayed. */
  readonly randomBytes: (count: number) => Uint8Array
  readonly log: Logger
  readonly limits: ServerLimits
  /** Counts the blocks of the answers of all threads; of this thread alone unless given. */
  readonly answers?: BlockCounts | undefined
  readonly keys: KeySource
  /** Ids of the backends that a request may choose from; with fewer than two nobody needs to choose. */
  readonly backends: readonly string[]
  readonly access: AccessService | undefined
  /** Whether questions can be answered already; also false while stopping. */
  readonly isReady: () => boolean
  /** Asks what the answers come from whether it is there; rejects with a SluiceError that says what is not. */
  readonly readiness?: (() => Promise<void>) | undefined
  /** Who reads metrics and the description of the API without a key; `loopback` unless given. */
  readonly openTo?: OpenTo | undefined
  /** Names, beside those of this machine, by which requests without a key may call it on the loopback address. */
  readonly allowHosts?: readonly string[] | undefined
  /** True when what is stored, policies and all, cannot be read whole: then only health is served. */
  readonly isDamaged?: (() => boolean) | undefined
  /** The kinds of rows that there are to search; all unless given. */
  readonly domains?: ReadonlySet<SearchDomain> | undefined
  readonly search: SearchService | undefined
  readonly metrics: MetricService | undefined
  /** The read API of stock metrics data sources. */
  readonly metricRead?: MetricReadService | undefined
  readonly eventList: EventListService | undefined
  readonly clusters: ClusterService | undefined
  readonly workloads: WorkloadService | undefined
  readonly monitors?: MonitorService | undefined
  readonly silences?: SilenceService | undefined
  readonly policies?: PolicyService | undefined
  readonly fields?: FieldService | undefined
  /** Without them queries run in this thread. */
  readonly workers?: QueryWorkers | undefined
  /** Called when a query begins that this thread may answer from files; what it gives is called when it has ended. */
  readonly beginRead?: (() => () => void) | undefined
  /** The ids of the monitors that pass a filter, in any order. Rejects with a SluiceError for one that cannot be read. */
  readonly pickMonitors?: (
    rows: readonly MonitorRow[],
    filter: MonitorFilter,
    caller: Caller,
  ) => Promise<readonly string[]>
  /** Throws a ResourceError for a monitor that does not compile. */
  readonly checkMonitor?: (monitor: Monitor, caller: Caller) => void
  /** Takes data in; without it the server only answers. */
  readonly ingest?: IngestService | undefined
  /** Takes rows out; without it none can be deleted. */
  readonly deletions?: AuditedDeletions | undefined
}
