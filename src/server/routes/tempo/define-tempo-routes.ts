import type { TraceqlEndpoint } from '../../../lang/traceql/index.ts'
import { refusal } from '../../errors/http-fault.ts'
import { defineSpanRoutes, type SpanCall, type SpanRoute } from '../definition/span-route.ts'
import type { AnyRoute } from '../definition/route.ts'
import { tempoErrors } from './errors.ts'

/** Context of a handler of Tempo's read API. */
export type TempoCall = SpanCall

/** Prefix at which Tempo's API is available too, as for every other product. */
const BASE = '/tempo'

/** Throws an error with a message of Tempo's. */
export function refuse(text: string, status = 400): never {
  throw refusal(text, status)
}

/** Defines a route of Tempo's read API, at its path and below `/tempo`. Query errors are worded as for `endpoint`. */
export function defineTempoRoutes(route: SpanRoute, endpoint: TraceqlEndpoint = 'search'): readonly AnyRoute[] {
  const { path, alsoAt = [] } = route
  const paths = [...alsoAt, ...[path, ...alsoAt].map((at) => BASE + at)]
  return defineSpanRoutes(tempoErrors(endpoint), { ...route, alsoAt: paths })
}
