import type { OutcomeJson } from '../../alerting/index.ts'
import { present } from '../../base/index.ts'
import type { PlainJson } from '../../data/index.ts'
import { decode, monitorModel } from '../../wire/index.ts'
import type { MonitorQueriesRequest } from '../resources/monitor-queries.ts'
import type { InternalQuery } from './definition/internal-query.ts'

/**
 * The request as JSON; `queries` has the form in which the monitor stores them. It is a type alias because interfaces
 * are not assignable to `PlainJson`.
 */
// oxlint-disable-next-line typescript/consistent-type-definitions
export type MonitorQueriesBody = {
  readonly queries: PlainJson
  readonly intervalMs: number
  readonly atMs: number
}

/** Runs the queries of one evaluation of a monitor. */
export const monitorQueries: InternalQuery<MonitorQueriesRequest, OutcomeJson> = {
  name: 'monitorQueries',
  summary: 'Run the queries of a monitor',
  read: (request) => {
    const { queries, ...times } = request as MonitorQueriesBody
    return { ...times, queries: decode(monitorModel, { queries }).queries ?? [] }
  },
  run: (request, caller, context) => present(context.monitorQueries).run(request, caller),
  isTemporary: (answer) => 'error' in answer && answer.isTemporary === true,
}
