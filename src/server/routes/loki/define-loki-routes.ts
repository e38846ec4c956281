import { z } from 'zod'
import { fault, refusal } from '../../errors/http-fault.ts'
import type { Answer } from '../../http/answer.ts'
import { JSON_TYPE } from '../../http/respond.ts'
import { Parameters } from '../../metrics/parameters.ts'
import type { SearchService } from '../../search/service-interfaces.ts'
import { FORM_TYPE, formBody, formParameters, readForm } from '../definition/form.ts'
import { defineRoute, type AnyRoute, type Call, type RouteAnswer } from '../definition/route.ts'
import { isSearched } from '../search.ts'
import { lokiErrors } from './errors.ts'

/** Context of a handler of Loki's read API. */
export interface LokiCall extends Omit<Call<unknown>, 'body' | 'query'> {
  readonly parameters: Parameters
  readonly service: SearchService
}

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
  const { name, path, alsoAt = [], summary } = route
  const shared = {
    path,
    alsoAt,
    summary,
    role: 'read',
    isQuery: route.isQuery ?? true,
    ...lokiErrors,
    ...(route.jsonError === undefined ? {} : { errors: new Map([...lokiErrors.errors, [JSON_TYPE, route.jsonError]]) }),
    parameters: Object.entries(route.parameters).map(([parameter, description]) => ({
      name: parameter,
      description,
      schema: z.string(),
    })),
    ...(route.asks === undefined ? {} : { asks: route.asks }),
    answers: [{ status: route.opensWebSocket === true ? 101 : 200, ...route.answer }],
    isAvailable: isSearched('logs'),
  } as const
  const answer = (call: Omit<Call<unknown>, 'body'>, form?: URLSearchParams): Promise<Answer> => {
    const service = call.context.search
    if (service === undefined) throw fault('not-found', { what: 'path' })
    return route.handle({ ...call, service, parameters: new Parameters(form ?? new URLSearchParams(), call.query) })
  }
  const get = defineRoute({ ...shared, name, method: 'GET', handle: (call) => answer(call) })
  if (route.isQuery === false) return [get]
  return [
    get,
    defineRoute({
      ...shared,
      name: `${name}ByForm`,
      method: 'POST',
      body: formBody,
      bodyTypes: [FORM_TYPE],
      readBody: readForm,
      handle: (call) => answer(call, formParameters(call.body)),
    }),
  ]
}
