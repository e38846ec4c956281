import type { z } from 'zod'
import type { HttpAnswer } from '../../http/answer.ts'
import type { MetricReadService } from '../../metrics/metric-interfaces.ts'
import { shapePrometheusError } from '../../metrics/shape-error.ts'
import type { ServerContext } from '../definition/context.ts'
import { defineFormRoutes, type FormCall } from '../definition/form-routes.ts'
import type { AnyRoute } from '../definition/route.ts'
import { prometheusError } from './schemas.ts'

/** Context of a handler of the read API; `service` provides the data. */
export type ReadCall<S = MetricReadService> = FormCall<S>

export interface ReadRoute<S = MetricReadService> {
  /** Operation id of the GET route; the id of the POST route ends with `ByForm`. */
  readonly name: string
  readonly path: string
  readonly summary: string
  /** Descriptions of the parameters by name. */
  readonly parameters: Readonly<Record<string, string>>
  readonly answer: z.ZodType
  /** True if there is also a POST route with a form body. */
  readonly hasForm: boolean
  /** True if the route reads stored rows or parses a query. It is queued, and runs in a worker if there are any. */
  readonly isQuery: boolean
  readonly handle: (call: ReadCall<S>) => Promise<HttpAnswer>
}

/** Defines a route of the read API over samples as GET, and with `hasForm` as POST. */
export function defineReadRoutes(route: ReadRoute): readonly AnyRoute[] {
  return defineRoutesOver(({ metricRead }) => metricRead, route)
}

/** Like `defineReadRoutes`, over another service. Without the service, the routes do not exist. */
export function defineRoutesOver<S>(
  serviceOf: (context: ServerContext) => S | undefined,
  { answer, ...route }: ReadRoute<S>,
): readonly AnyRoute[] {
  return defineFormRoutes({
    ...route,
    serviceOf,
    shapeError: shapePrometheusError,
    answers: [
      { status: 200, description: 'The answer in the envelope of the Prometheus API.', schema: answer },
      { status: 422, description: 'The expression cannot be evaluated.', schema: prometheusError },
    ],
  })
}
