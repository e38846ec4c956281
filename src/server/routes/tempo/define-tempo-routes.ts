import type { TraceqlEndpoint } from '../../../lang/traceql/index.ts'
import { refusal } from '../../errors/http-fault.ts'
import { defineSpanRoutes, type SpanCall, type SpanRoute } from '../definition/span-route.ts'
import type { AnyRoute } from '../definition/route.ts'
import { tempoErrors } from './errors.ts'

/** Context of a handler of Tempo's read API. */
export type TempoCall = SpanCall

/** Base path of Tempo's API beside the root, so that every product has one of its own. */
const BASE = '/tempo'

/** Refuses a request in the words of Tempo. */
export function refuse(text: string, status = 400): never {
  throw refusal(text, status)
}

/** Defines an operation of Tempo's read API, at its path and below `/tempo`. Errors of queries are those of an endpoint. */
export function defineTempoRoutes(route: SpanRoute, endpoint: TraceqlEndpoint = 'search'): readonly AnyRoute[] {
  const { path, alsoAt = [] } = route
  const paths = [...alsoAt, ...[path, ...alsoAt].map((at) => BASE + at)]
  return defineSpanRoutes(tempoErrors(endpoint), { ...route, alsoAt: paths })
}
