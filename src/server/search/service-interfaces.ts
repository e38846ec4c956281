import type { Diagnostic, Interval } from '../../base/index.ts'
import type { RecordBatch } from '../../data/index.ts'
import type { Parameters } from '../../lang/log/index.ts'
import type { Dialect, LogicalPlan } from '../../plan/index.ts'
import type { Arrivals } from '../../store/index.ts'
import type {
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

/** The kinds of rows that can be searched; a pipeline may name another one for itself. */
export const searchDomains = ['logs', 'events', 'traces', 'clusters', 'workloads'] as const
export type SearchDomain = (typeof searchDomains)[number]

export interface SearchRequest extends Caller {
  readonly domain: SearchDomain
  readonly range: Interval
  readonly query: string | undefined
  readonly filters: string | undefined
  readonly sources: readonly Condition[] | undefined
  readonly pipeline: Pipeline | undefined
  /** Values of what the texts name as `$name`. */
  readonly parameters?: Parameters | undefined
  readonly dialect: Dialect
  /** What is read of the rows in place of the rows themselves. */
  readonly over?: (plan: LogicalPlan) => LogicalPlan
  /** Only what has arrived since then is read; moved on by the run. */
  readonly arrivals?: Arrivals
}

export interface SearchAnswer {
  /** True when a row stands for a group: such answers are never cut. */
  readonly isAggregate: boolean
  /** As it runs, where that is known. */
  readonly plan?: LogicalPlan
  /** Warnings and advice about the query. */
  readonly diagnostics: readonly Diagnostic[]
  /** Warnings about names that no row has which the caller may see; best called when the rows are there. */
  advice?(): Promise<readonly Diagnostic[]>
  /** The rows in answer order, in batches of any size. Can be read once; stopping early stops the query. */
  batches(): AsyncIterable<RecordBatch>
}

/** Answers the three searches. Bad queries reject with a `SluiceError`, positioned in `query` or with a JSON path. */
export interface SearchService {
  search(request: SearchRequest): Promise<SearchAnswer>
}

export interface EventListService {
  list(request: EventsOverTime, caller: Caller): Promise<EventsOverTimeAnswer>
}

export interface ClusterService {
  list(request: ClusterList, caller: Caller): Promise<ClusterListAnswer>
}

export interface WorkloadService {
  list(request: WorkloadList, caller: Caller): Promise<WorkloadListAnswer>
}
