import type { z } from 'zod'
import { refusal } from '../../errors/http-fault.ts'
import type { Answer } from '../../http/answer.ts'
import { JSON_TYPE } from '../../http/respond.ts'
import type { SearchService } from '../../search/service-interfaces.ts'
import { defineFormRoutes, type FormCall } from '../definition/form-routes.ts'
import type { AnyRoute, RouteAnswer } from '../definition/route.ts'
import { searchOf } from '../search.ts'
import { lokiErrors } from './errors.ts'

/** Context of a handler of Loki's read API. */
export type LokiCall = FormCall<SearchService>

interface LokiRoute {
  /** Operation id of the GET form; that of the POST form ends with `ByForm`. */
  readonly name: string
  readonly path: string
  readonly alsoAt?: readonly string[]
  readonly summary: string
  /** Parameters with a sentence each. */
  readonly parameters: Readonly<Record<string, string>>
  readonly answer: Pick<RouteAnswer, 'description' | 'schema' | 'contentType'>
  /** A refusal that is JSON; others are text. */
  readonly jsonError?: z.ZodType
  /** False if it reads no rows itself. */
  readonly isQuery?: false
  /** See `Route`. */
  readonly asks?: AnyRoute
  /** True if an answer is a WebSocket, of status 101. */
  readonly opensWebSocket?: true
  readonly handle: (call: LokiCall) => Promise<Answer>
}

/** Refuses a request in the words of Loki. */
export function refuse(text: string, status = 400): never {
  throw refusal(text, status)
}

/** One operation of Loki's read API as GET, and as POST with a form if it reads rows. */
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
