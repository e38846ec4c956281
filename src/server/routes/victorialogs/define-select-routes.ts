import { z } from 'zod'
import type { Answer } from '../../http/answer.ts'
import type { ErrorForm } from '../../http/error-forms.ts'
import { fault } from '../../errors/http-fault.ts'
import { Parameters } from '../../metrics/parameters.ts'
import type { SearchService } from '../../search/service-interfaces.ts'
import { FORM_TYPE, formBody, formParameters, readForm } from '../definition/form.ts'
import { defineRoute, type AnyRoute, type Call, type RouteAnswer } from '../definition/route.ts'
import { isSearched } from '../search.ts'
import { selectErrors } from './errors.ts'

/** Context of a handler of the select API. */
export interface SelectCall extends Omit<Call<unknown>, 'body' | 'query'> {
  readonly parameters: Parameters
  readonly service: SearchService
}

interface SelectRoute {
  /** Operation id of the GET form; that of the POST form ends with `ByForm`. */
  readonly name: string
  /** Behind `/select/logsql/`. */
  readonly path: string
  readonly summary: string
  /** Parameters with a sentence each, beside those of every request. */
  readonly parameters: Readonly<Record<string, string>>
  readonly answer: Pick<RouteAnswer, 'description' | 'schema' | 'contentType'>
  /** Further answers. */
  readonly refusals?: readonly RouteAnswer[]
  /** Default: text. */
  readonly errors?: Partial<Pick<ErrorForm, 'errors'>> & Pick<ErrorForm, 'shapeError'>
  /** See `Route`. Without it the route is a query itself. */
  readonly asks?: AnyRoute
  readonly handle: (call: SelectCall) => Promise<Answer>
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

/** Parameters of a request: of a form, then of the address. */
export function parametersOf(call: Pick<Call<unknown>, 'query'>, form?: URLSearchParams): Parameters {
  return new Parameters(form ?? new URLSearchParams(), call.query)
}

/** One operation of VictoriaLogs' select API as GET, and as POST with a form. */
export function defineSelectRoutes(route: SelectRoute): readonly AnyRoute[] {
  const { name, summary, asks, errors = selectErrors } = route
  const shared = {
    path: `/select/logsql/${route.path}`,
    summary,
    role: 'read',
    isQuery: asks === undefined,
    ...(asks === undefined ? {} : { asks }),
    ...errors,
    parameters: Object.entries({ ...COMMON, ...route.parameters }).map(([parameter, description]) => ({
      name: parameter,
      description,
      schema: z.string(),
    })),
    answers: [{ status: 200, ...route.answer }, ...(route.refusals ?? [])],
    isAvailable: isSearched('logs'),
  } as const
  const answer = (call: Omit<Call<unknown>, 'body'>, form?: URLSearchParams): Promise<Answer> => {
    const service = call.context.search
    if (service === undefined) throw fault('not-found', { what: 'path' })
    return route.handle({ ...call, service, parameters: parametersOf(call, form) })
  }
  return [
    defineRoute({ ...shared, name, method: 'GET', handle: (call) => answer(call) }),
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
