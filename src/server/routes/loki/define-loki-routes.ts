import type { z } from 'zod'
import { refusal } from '../../errors/http-fault.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import { JSON_TYPE } from '../../http/respond.ts'
import type { SearchService } from '../../search/service-interfaces.ts'
import { defineFormRoutes, type FormCall } from '../definition/form-routes.ts'
import type { AnyRoute, RouteAnswer } from '../definition/route.ts'
import { searchOf } from '../search.ts'
import { lokiErrors } from './errors.ts'

/** Context of a handler of Loki's read API. */
export type LokiCall = FormCall<SearchService>

interface LokiRoute {
  /** Operation id of the GET route; the id of the POST route ends with `ByForm`. */
  readonly name: string
  readonly path: string
  readonly alsoAt?: readonly string[]
  readonly summary: string
  /** Descriptions of the parameters by name. */
  readonly parameters: Readonly<Record<string, string>>
  readonly answer: Pick<RouteAnswer, 'description' | 'schema' | 'contentType'>
  /** Schema of an error that is JSON; other errors are plain text. */
  readonly jsonError?: z.ZodType
  /** False if the route itself reads no rows. */
  readonly isQuery?: false
  /** A query route that this route calls repeatedly, in a worker if there are any. */
  readonly asks?: AnyRoute
  /** True if an answer with status 101 opens a WebSocket. */
  readonly opensWebSocket?: true
  readonly handle: (call: LokiCall) => Promise<HttpAnswer>
}

/** Throws an error with a message of Loki's. */
export function refuse(text: string, status = 400): never {
  throw refusal(text, status)
}

/** Defines a route of Loki's read API as GET, and as POST with a form body if it reads rows. */
export function defineLokiRoutes(route: LokiRoute): readonly AnyRoute[] {
  const { answer, jsonError, isQuery = true, opensWebSocket = false, ...rest } = route
  return defineFormRoutes({
    ...rest,
    ...lokiErrors,
    ...(jsonError === undefined ? {} : { errors: new Map([...lokiErrors.errors, [JSON_TYPE, jsonError]]) }),
    answers: [{ status: opensWebSocket ? 101 : 200, ...answer }],
    isQuery,
    hasForm: isQuery,
    serviceOf: searchOf('logs'),
  })
}
