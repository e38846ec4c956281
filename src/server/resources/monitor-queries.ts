import {
  checkMonitor,
  encodeOutcome,
  runQueries,
  type MonitorDefinition,
  type OutcomeJson,
  type QueryTools,
} from '../../alerting/index.ts'
import type { Engine } from '../../engine/index.ts'
import { checkCompiles } from '../../resources/index.ts'
import type { SampleSource } from '../../store/index.ts'
import { labelFilter } from '../search/label-filter.ts'
import { readFilter } from '../search/read-text.ts'
import { predicateOf } from '../search/search-service.ts'
import { labelScope } from '../search/label-scope.ts'
import type { Caller } from '../auth/caller.ts'
import { isAway } from '../errors/to-error-response.ts'
import type { ResourceServices } from './resource-services.ts'

/** Access to the data of a backend for monitors, with the permissions of the server: all rows. */
export function monitorQueryTools(engine: Engine, samples: SampleSource): QueryTools {
  return {
    engine,
    samples,
    scope: undefined,
    guard: undefined,
    readFilter: (text, table, nowNs) => {
      const textField = engine.catalog.tables.get(table)?.textField
      return predicateOf(readFilter(text, 'filters', { dialect: 'native', nowNs, table, textField }))
    },
    readLabelFilter: (text) => labelFilter(text, 'filters', engine),
  }
}

/** A source without samples, because checking a monitor reads none. */
const noSamples: SampleSource = { select: () => [], series: () => [] }

/** Returns a check that throws a ResourceError for a monitor that cannot be evaluated on the caller's backend. */
export function monitorCheck(
  engineOf: (backend: string | undefined) => Engine,
): NonNullable<ResourceServices['checkMonitor']> {
  return (monitor, { backend, readsText }) =>
    checkCompiles(monitor, () => {
      checkMonitor(monitor, { ...monitorQueryTools(engineOf(backend), noSamples), readsText })
    })
}

/** The queries of a monitor for one evaluation. */
export interface MonitorQueriesRequest extends Pick<MonitorDefinition, 'queries' | 'intervalMs'> {
  /** Scheduled time of the evaluation, Unix ms. */
  readonly atMs: number
}

/** Runs the queries of monitors with a caller's permissions. */
export interface MonitorQueryService {
  run(request: MonitorQueriesRequest, caller: Caller): Promise<OutcomeJson>
}

export function createMonitorQueryService(
  engineOf: (backend: string | undefined) => Engine,
  samplesOf: (backend: string | undefined) => SampleSource,
): MonitorQueryService {
  return {
    run: async (request, caller) => {
      const { backend, scope, signal } = caller
      const tools = {
        ...monitorQueryTools(engineOf(backend), samplesOf(backend)),
        scope,
        guard: labelScope(caller),
        signal,
        isTemporary: isAway,
      }
      return encodeOutcome(await runQueries(request, request.atMs, tools))
    },
  }
}
