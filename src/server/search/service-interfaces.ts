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

/** Domains that a search can select; a pipeline can name another domain. */
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
  /** Time from which relative times count, ns. Default: the engine's clock. */
  readonly nowNs?: bigint | undefined
  /** Time limit, if shorter than the service's, ms. */
  readonly timeoutMs?: number | undefined
  /** Builds the plan to run from the plan of the found rows. Default: the found rows themselves. */
  readonly over?: (plan: LogicalPlan) => LogicalPlan
  /** Restricts the search to rows that arrived since a position; the run updates the position. */
  readonly arrivals?: Arrivals
}

export interface SearchAnswer {
  /** True if each row is a group. An answer of groups is never cut. */
  readonly isAggregate: boolean
  /** The plan that is run, if known. */
  readonly plan?: LogicalPlan
  /** Names of the table's fields for time and text, if known. */
  readonly names?: Pick<TableDefinition, 'timeField' | 'textField'> | undefined
  /** Warnings and advice about the query. */
  readonly diagnostics: readonly Diagnostic[]
  /** Returns warnings about names that no visible row has. Must be called after the rows are read. */
  advice?(): Promise<readonly Diagnostic[]>
  /** Returns the cost so far; final after all batches were read. */
  statistics?(this: void): QueryStatistics
  /** Yields batches in answer order. Can be called once; leaving the loop stops the query. */
  batches(): AsyncIterable<RecordBatch>
}

/** Answers searches. Invalid queries reject with a `SluiceError`, with a span in `query` or a JSON path. */
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
