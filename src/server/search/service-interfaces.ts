import type { Diagnostic, Interval } from '../../base/index.ts'
import type { RecordBatch } from '../../data/index.ts'
import type { Parameters, Query } from '../../lang/log/index.ts'
import type { QueryStatistics } from '../../engine/index.ts'
import type { Dialect, LogicalPlan, TableDefinition } from '../../plan/index.ts'
import type { Arrivals } from '../../store/index.ts'
import type {
  AtNow,
  ClusterList,
  ClusterListAnswer,
  Condition,
  EventsOverTime,
  EventsOverTimeAnswer,
  Pipeline,
  WorkloadList,
  WorkloadListAnswer,
} from '../../wire/index.ts'
import type { Caller } from '../auth/caller.ts'

/** Domains that can be searched; a pipeline can name another. */
export const searchDomains = ['logs', 'events', 'traces', 'clusters', 'workloads'] as const
export type SearchDomain = (typeof searchDomains)[number]

export interface SearchRequest extends Caller {
  readonly domain: SearchDomain
  readonly range: Interval
  readonly query: string | undefined
  readonly filters: string | undefined
  readonly sources: readonly Condition[] | undefined
  readonly pipeline: Pipeline | undefined
  /** Parameter values, written `$name` in the texts. */
  readonly parameters?: Parameters | undefined
  readonly dialect: Dialect
  /** Changes the parsed `query` before it is planned. Throws a SluiceError. */
  readonly adapt?: ((query: Query) => Query) | undefined
  /** Time that relative times count from, ns. Default: the clock of the engine. */
  readonly nowNs?: bigint | undefined
  /** A shorter time limit than that of the service, ms. */
  readonly timeoutMs?: number | undefined
  /** Plan over the rows, in place of the rows. */
  readonly over?: (plan: LogicalPlan) => LogicalPlan
  /** Reads only rows that arrived since then; updated by the run. */
  readonly arrivals?: Arrivals
}

export interface SearchAnswer {
  /** True if a row represents a group: such answers are never cut. */
  readonly isAggregate: boolean
  /** The plan that runs, if known. */
  readonly plan?: LogicalPlan
  /** Names of the table's fields for time and text, if known. */
  readonly names?: Pick<TableDefinition, 'timeField' | 'textField'> | undefined
  /** Warnings and advice about the query. */
  readonly diagnostics: readonly Diagnostic[]
  /** Warnings about names that no visible row has; best called after reading the rows. */
  advice?(): Promise<readonly Diagnostic[]>
  /** Cost so far; final after all batches were read. */
  statistics?(this: void): QueryStatistics
  /** Batches in answer order. Can be read once; returning early stops the query. */
  batches(): AsyncIterable<RecordBatch>
}

/** Answers the three searches. Bad queries reject with a `SluiceError`, with a span in `query` or a JSON path. */
export interface SearchService {
  search(request: SearchRequest): Promise<SearchAnswer>
}

export interface EventListService {
  list(request: AtNow<EventsOverTime>, caller: Caller): Promise<EventsOverTimeAnswer>
}

export interface ClusterService {
  list(request: ClusterList, caller: Caller): Promise<ClusterListAnswer>
}

export interface WorkloadService {
  list(request: WorkloadList, caller: Caller): Promise<WorkloadListAnswer>
}
