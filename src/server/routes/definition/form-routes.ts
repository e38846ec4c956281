import { z } from 'zod'
import { fault } from '../../errors/http-fault.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import { RequestParameters } from '../../metrics/parameters.ts'
import type { ServerContext } from './context.ts'
import { FORM_TYPE, formBody, formParameters, readForm } from './form.ts'
import { defineRoute, type AnyRoute, type RouteCall, type Route } from './route.ts'

/** Context of a handler whose parameters are in the URL or in a form body; `service` provides the data. */
export interface FormCall<S> extends Omit<RouteCall<unknown>, 'body' | 'query'> {
  readonly parameters: RequestParameters
  readonly service: S
}

/** An operation whose parameters are in the URL or in a form body. */
export interface FormRoute<S> extends Pick<
  Route,
  'path' | 'alsoAt' | 'summary' | 'answers' | 'isQuery' | 'asks' | 'shapeError' | 'errors'
> {
  /** Operation id of the GET route; the id of the POST route ends with `ByForm`. */
  readonly name: string
  /** Descriptions of the parameters by name. */
  readonly parameters: Readonly<Record<string, string>>
  /** True if there is also a POST route with a form body. */
  readonly hasForm: boolean
  /** Returns the service for a request. If the service is missing, the routes do not exist. */
  readonly serviceOf: (context: ServerContext) => S | undefined
  readonly handle: (call: FormCall<S>) => Promise<HttpAnswer>
}

/** Defines an operation as a GET route and, with `hasForm`, as a POST route with a form body. */
export function defineFormRoutes<S>(route: FormRoute<S>): readonly AnyRoute[] {
  const { name, hasForm, serviceOf, handle, parameters, ...rest } = route
  const shared = {
    ...rest,
    role: 'read',
    parameters: Object.entries(parameters).map(([parameter, description]) => ({
      name: parameter,
      description,
      schema: z.string(),
    })),
    isAvailable: (context: ServerContext) => serviceOf(context) !== undefined,
  } as const
  const answer = (call: Omit<RouteCall<unknown>, 'body'>, form = new URLSearchParams()): Promise<HttpAnswer> => {
    const service = serviceOf(call.context)
    if (service === undefined) throw fault('not-found', { what: 'path' })
    return handle({ ...call, service, parameters: new RequestParameters(form, call.query) })
  }
  const get = defineRoute({ ...shared, name, method: 'GET', handle: (call) => answer(call) })
  if (!hasForm) return [get]
  const post = defineRoute({
    ...shared,
    name: `${name}ByForm`,
    method: 'POST',
    body: formBody,
    bodyTypes: [FORM_TYPE],
    readBody: readForm,
    handle: (call) => answer(call, formParameters(call.body)),
  })
  return [get, post]
}
