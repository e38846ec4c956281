import type { LogRows } from '../../../backends/columnar/series/index.ts'
import { discoveredLabels, logqlTableOf } from '../../../engine/logql/index.ts'
import { parseLogqlOrThrow, type LogQuery, type LogqlExpr, type LogqlTable } from '../../../lang/logql/index.ts'
import { logsTable } from '../../../store/index.ts'
import { ENCODING_FLAGS } from '../../http/request-headers.ts'
import { searchForPlan } from '../../search/plan-request.ts'
import { refuse, type LokiCall } from './define-loki-routes.ts'

/** Flag with which a client requests that stream labels and other labels are separated. */
export const CATEGORIZE = 'categorize-labels'

export function isCategorized({ headers }: LokiCall): boolean {
  return (headers.get(ENCODING_FLAGS) ?? '').split(',').some((flag) => flag.trim() === CATEGORIZE)
}

/** Returns the logs table as LogQL reads it. */
export function lokiTable({ context }: LokiCall): LogqlTable {
  return logqlTableOf(logsTable, context.limits.discoversLabels ? discoveredLabels : [])
}

/** Reads rows of plans under the caller's scope, with the limits of a query. */
export function rowsFor(call: LokiCall): LogRows {
  return {
    async *read(plan, range) {
      const answer = await call.service.search(searchForPlan(call.caller, 'logs', plan, range))
      yield* answer.batches()
    },
  }
}

export function parsedQuery(call: LokiCall, text: string): LogqlExpr {
  call.caller.readsText('query', text)
  return parseLogqlOrThrow(text)
}

/** Parses a log query; with `isSelector`, stages are errors. */
export function parsedEntries(call: LokiCall, text: string, isSelector: boolean): LogQuery {
  const query = parsedQuery(call, text)
  if (query.kind === 'log-query' && !(isSelector && query.stages.length > 0)) return query
  return refuse('only label matchers are supported')
}
