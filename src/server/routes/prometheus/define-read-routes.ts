import { z } from 'zod'
import type { Answer } from '../../http/answer.ts'
import { fault } from '../../errors/http-fault.ts'
import type { ServerContext } from '../definition/context.ts'
import { FORM_TYPE, formBody, formParameters, readForm } from '../definition/form.ts'
import { defineRoute, type AnyRoute, type Call } from '../definition/route.ts'
import type { MetricReadService } from '../../metrics/metric-interfaces.ts'
import { Parameters } from '../../metrics/parameters.ts'
import { prometheusError } from './schemas.ts'
import { shapePrometheusError } from '../../metrics/shape-error.ts'

/** Context of a handler of the read API; `service` is what the route reads, by default samples. */
export interface ReadCall<S = MetricReadService> extends Omit<Call<unknown>, 'body' | 'query'> {
  readonly parameters: Parameters
  readonly service: S
}

export interface ReadRoute<S = MetricReadService> {
  /** Operation id of the GET form; that of the POST form ends with `ByForm`. */
  readonly name: string
  readonly path: string
  readonly summary: string
  /** Parameters with a sentence each. */
  readonly parameters: Readonly<Record<string, string>>
  readonly answer: z.ZodType
  /** True if the request can be a form. */
  readonly hasForm: boolean
  /** See `Route`. */
  readonly isQuery: boolean
  readonly handle: (call: ReadCall<S>) => Promise<Answer>
}

/** One operation of the read API over samples as GET, and as POST with a form. */
export function defineReadRoutes(route: ReadRoute): readonly AnyRoute[] {
  return defineRoutesOver(({ metricRead }) => metricRead, route)
}

/** The same over another service. Without the service, the routes do not exist. */
export function defineRoutesOver<S>(
  serviceOf: (context: ServerContext) => S | undefined,
  route: ReadRoute<S>,
): readonly AnyRoute[] {
  const { name, path, summary, isQuery } = route
  const shared = {
    path,
    summary,
    role: 'read',
    isQuery,
    shapeError: shapePrometheusError,
    parameters: Object.entries(route.parameters).map(([parameter, description]) => ({
      name: parameter,
      description,
      schema: z.string(),
    })),
    answers: [
      { status: 200, description: 'The answer in the envelope of the Prometheus API.', schema: route.answer },
      { status: 422, description: 'The expression cannot be evaluated.', schema: prometheusError },
    ],
    isAvailable: (context: ServerContext) => serviceOf(context) !== undefined,
  } as const
  const answer = (call: Omit<Call<unknown>, 'body'>, given: URLSearchParams): Promise<Answer> => {
    const service = serviceOf(call.context)
    if (service === undefined) throw fault('not-found', { what: 'path' })
    return route.handle({ ...call, service, parameters: new Parameters(given, call.query) })
  }
  const get = defineRoute({ ...shared, name, method: 'GET', handle: (call) => answer(call, new URLSearchParams()) })
  if (!route.hasForm) return [get]
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
