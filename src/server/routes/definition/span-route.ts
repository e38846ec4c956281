import { z } from 'zod'
import { fault } from '../../errors/http-fault.ts'
import type { Answer } from '../../http/answer.ts'
import type { ErrorForm } from '../../http/error-forms.ts'
import { Parameters } from '../../metrics/parameters.ts'
import type { SearchService } from '../../search/service-interfaces.ts'
import { isSearched } from '../search.ts'
import { defineRoute, type AnyRoute, type Call, type RouteAnswer } from './route.ts'

/** Context of a handler of a read API over spans. */
export interface SpanCall extends Omit<Call<unknown>, 'body' | 'query'> {
  readonly parameters: Parameters
  readonly service: SearchService
}

export interface SpanRoute {
  /** Operation id. */
  readonly name: string
  readonly path: string
  readonly alsoAt?: readonly string[]
  readonly summary: string
  /** Parameters with a sentence each. */
  readonly parameters: Readonly<Record<string, string>>
  /** Answers, one for each status and content type. The default status is 200. */
  readonly answers: readonly (Omit<RouteAnswer, 'status'> & Partial<RouteAnswer>)[]
  /** False if it reads no rows. */
  readonly isQuery?: false
  readonly handle: (call: SpanCall) => Promise<Answer>
}

/** A GET operation of a read API over spans, with errors in the form of its clients. */
export function defineSpanRoute(errors: ErrorForm, route: SpanRoute): AnyRoute {
  const { name, path, alsoAt = [], summary, answers, handle } = route
  return defineRoute({
    name,
    method: 'GET',
    path,
    alsoAt,
    summary,
    role: 'read',
    isQuery: route.isQuery ?? true,
    ...errors,
    parameters: Object.entries(route.parameters).map(([parameter, description]) => ({
      name: parameter,
      description,
      schema: z.string(),
    })),
    answers: answers.map((answer) => ({ status: 200, ...answer })),
    isAvailable: isSearched('traces'),
    handle: async (call) => {
      const service = call.context.search
      if (service === undefined) throw fault('not-found', { what: 'path' })
      return handle({ ...call, service, parameters: new Parameters(new URLSearchParams(), call.query) })
    },
  })
}
