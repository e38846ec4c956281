import type { HttpAnswer } from '../../http/answer.ts'
import type { ErrorForm } from '../../http/error-forms.ts'
import type { SearchService } from '../../search/service-interfaces.ts'
import { defineFormRoutes, type FormCall } from '../definition/form-routes.ts'
import type { AnyRoute, RouteAnswer } from '../definition/route.ts'
import { searchOf } from '../search.ts'
import { selectErrors } from './errors.ts'

/** Context of a handler of the select API. */
export type SelectCall = FormCall<SearchService>

interface SelectRoute {
  /** Operation id of the GET route; the id of the POST route ends with `ByForm`. */
  readonly name: string
  /** Path below `/select/logsql/`. */
  readonly path: string
  readonly summary: string
  /** Descriptions of the parameters by name, besides the parameters that every route has. */
  readonly parameters: Readonly<Record<string, string>>
  readonly answer: Pick<RouteAnswer, 'description' | 'schema' | 'contentType'>
  /** Further answers besides success. */
  readonly refusals?: readonly RouteAnswer[]
  /** Error format. Default: plain text. */
  readonly errors?: Partial<Pick<ErrorForm, 'errors'>> & Pick<ErrorForm, 'shapeError'>
  /** A query route that this route calls repeatedly. Without it, the route itself is a query. */
  readonly asks?: AnyRoute
  readonly handle: (call: SelectCall) => Promise<HttpAnswer>
}

const COMMON = {
  query: 'The query, in LogsQL.',
  start: 'Only rows from it on: Unix time, a date of any precision, `now`, or an age such as `-5m`.',
  end: 'Only rows before it, in the same forms.',
  time: 'Time that relative times of the query count from. Default: `end`, else now.',
  timeout: 'A shorter time limit, such as `10s`.',
  extra_filters: 'A filter, or an object of fields with a value or a list of values; may repeat.',
  extra_stream_filters: 'A stream filter, or such an object of labels; may repeat.',
}

/** Defines a route of VictoriaLogs' select API as GET, and as POST with a form body. */
export function defineSelectRoutes(route: SelectRoute): readonly AnyRoute[] {
  const { answer, refusals = [], errors = selectErrors, ...rest } = route
  return defineFormRoutes({
    ...rest,
    ...errors,
    path: `/select/logsql/${route.path}`,
    parameters: { ...COMMON, ...route.parameters },
    answers: [{ status: 200, ...answer }, ...refusals],
    isQuery: route.asks === undefined,
    hasForm: true,
    serviceOf: searchOf('logs'),
  })
}
