import type { z } from 'zod'
import {
  atNow,
  fieldFacetsAnswer,
  fieldFacetsBody,
  fieldNamesAnswer,
  fieldNamesBody,
  fieldValuesAnswer,
  fieldValuesBody,
  hitsAnswer,
  hitsBody,
  type AtNow,
  type Moment,
} from '../../wire/index.ts'
import type { FieldService } from '../search/fields/field-service.ts'
import { fault } from '../errors/http-fault.ts'
import { json } from '../http/respond.ts'
import { dialectParameter } from './definition/parameters.ts'
import { defineRoute, type AnyRoute } from './definition/route.ts'
import { searchParameters } from './search.ts'
import type { Dialect } from '../../plan/index.ts'
import type { Caller } from '../auth/caller.ts'

interface Read {
  readonly dialect: Dialect
}

interface Question<S extends z.ZodType<{ readonly start: Moment; readonly end: Moment }>> {
  readonly name: string
  readonly path: string
  readonly summary: string
  readonly body: S
  readonly answer: z.ZodType
  readonly run: (service: FieldService, request: AtNow<z.output<S>> & Read, caller: Caller) => Promise<unknown>
}

function fieldRoute<S extends z.ZodType<{ readonly start: Moment; readonly end: Moment }>>({
  name,
  path,
  summary,
  body,
  answer,
  run,
}: Question<S>): AnyRoute {
  return defineRoute({
    name,
    method: 'POST',
    path,
    summary,
    role: 'read',
    body,
    parameters: searchParameters,
    answers: [{ status: 200, description: 'Counts of the rows that match the query.', schema: answer }],
    isQuery: true,
    isAvailable: (context) => context.fields !== undefined,
    handle: async (call) => {
      if (call.context.fields === undefined) throw fault('not-found', { what: 'path' })
      const request = { ...atNow(call.body, call.context.nowNs()), dialect: dialectParameter(call.query) }
      return json(await run(call.context.fields, request, call.caller))
    },
  })
}

/** Routes that list fields and values, or count rows over time. */
export const fieldRoutes: readonly AnyRoute[] = [
  fieldRoute({
    name: 'fieldNames',
    path: '/api/fields/names',
    summary: 'List fields',
    body: fieldNamesBody,
    answer: fieldNamesAnswer,
    run: (service, request, caller) => service.names(request, caller),
  }),
  fieldRoute({
    name: 'fieldValues',
    path: '/api/fields/values',
    summary: 'List values of a field',
    body: fieldValuesBody,
    answer: fieldValuesAnswer,
    run: (service, request, caller) => service.values(request, caller),
  }),
  fieldRoute({
    name: 'fieldFacets',
    path: '/api/fields/facets',
    summary: 'List the most frequent values of every field',
    body: fieldFacetsBody,
    answer: fieldFacetsAnswer,
    run: (service, request, caller) => service.facets(request, caller),
  }),
  fieldRoute({
    name: 'hits',
    path: '/api/hits',
    summary: 'Count rows over time',
    body: hitsBody,
    answer: hitsAnswer,
    run: (service, request, caller) => service.hits(request, caller),
  }),
]
