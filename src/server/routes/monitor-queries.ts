import { z } from 'zod'
import { present } from '../../base/index.ts'
import { parseJsonPlain, type PlainJson } from '../../data/index.ts'
import { decode, monitorModel } from '../../wire/index.ts'
import { json } from '../http/respond.ts'
import type { MonitorQueriesRequest } from '../resources/monitor-queries.ts'
import type { AnyRoute, Call } from './definition/route.ts'

/** The request as JSON; `queries` are as the monitor is stored. */
export interface MonitorQueriesBody {
  readonly queries: PlainJson
  readonly intervalMs: number
  readonly atMs: number
}

function readRequest(bytes: Uint8Array): MonitorQueriesRequest {
  const { queries, ...times } = parseJsonPlain(new TextDecoder().decode(bytes)) as unknown as MonitorQueriesBody
  return { ...times, queries: decode(monitorModel, { queries }).queries ?? [] }
}

/** Runs the queries of one evaluation of a monitor. Internal: no request over HTTP reaches it. */
export const monitorQueriesRoute: AnyRoute = {
  name: 'monitorQueries',
  method: 'POST',
  path: '/api/monitors/queries',
  summary: 'Run the queries of a monitor',
  role: 'read',
  body: z.unknown(),
  readBody: readRequest,
  answers: [],
  isQuery: true,
  isAvailable: () => true,
  handle: async ({ body, caller, context }: Call<MonitorQueriesRequest>) =>
    json(await present(context.monitorQueries).run(body, caller)),
}
