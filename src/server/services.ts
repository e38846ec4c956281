import type { Diagnostic, Interval } from '../base/index.ts'
import type { RecordBatch } from '../data/index.ts'
import type {
  ClusterList,
  ClusterListAnswer,
  Condition,
  DataScope,
  EventsOverTime,
  EventsOverTimeAnswer,
  MetricQuery,
  Pipeline,
  WorkloadList,
  WorkloadListAnswer,
} from '../wire/index.ts'

export type Dialect = 'native' | 'logsql'

/** On whose behalf something is asked. */
export interface Asker {
  /** The backend by id; `undefined` where there is only one. */
  readonly backend: string | undefined
  /** What the caller's policies let through: `undefined` is everything, an empty list is nothing. */
  readonly scope: readonly DataScope[] | undefined
  /** Fires when the client has gone or the server stops. */
  readonly signal: AbortSignal
}

/** The kinds of rows that can be searched; a pipeline may name another one for itself. */
export type SearchDomain = 'logs' | 'events' | 'traces' | 'clusters' | 'workloads'

export interface SearchRequest extends Asker {
  readonly domain: SearchDomain
  readonly range: Interval
  readonly query: string | undefined
  readonly filters: string | undefined
  readonly sources: readonly Condition[] | undefined
  readonly pipeline: Pipeline | undefined
  readonly dialect: Dialect
  /** How many rows will be read at most unless they are groups; the service may stop there or ignore it. */
  readonly wantedRows: number | undefined
}

export interface SearchAnswer {
  /** True when a row stands for a group: such answers are never cut. */
  readonly isAggregate: boolean
  /** Warnings and advice about the query. */
  readonly diagnostics: readonly Diagnostic[]
  /** The rows in answer order, in batches of any size. Can be read once; stopping early stops the query. */
  batches(): AsyncIterable<RecordBatch>
}

/** Answers the three searches. Bad queries reject with a `SluiceError`, positioned in `query` or with a JSON path. */
export interface SearchService {
  search(request: SearchRequest): Promise<SearchAnswer>
}

export interface MetricServiceAnswer {
  /** The whole answer as JSON in UTF-8, the envelope included. */
  chunks(): Iterable<Uint8Array>
}

/** Answers metric queries. Bad ones reject with a `SluiceError`, positioned in `Promql` or with a JSON path. */
export interface MetricService {
  query(request: MetricQuery, asker: Asker): Promise<MetricServiceAnswer>
}

export interface EventListService {
  list(request: EventsOverTime, asker: Asker): Promise<EventsOverTimeAnswer>
}

export interface ClusterService {
  list(request: ClusterList, asker: Asker): Promise<ClusterListAnswer>
}

export interface WorkloadService {
  list(request: WorkloadList, asker: Asker): Promise<WorkloadListAnswer>
}
