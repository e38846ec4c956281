import type { z } from 'zod'
import {
  fieldFacetsAnswer,
  fieldFacetsBody,
  fieldNamesAnswer,
  fieldNamesBody,
  fieldValuesAnswer,
  fieldValuesBody,
  hitsAnswer,
  hitsBody,
} from '../../wire/index.ts'
import type { FieldService } from '../search/fields/field-service.ts'
import { fault } from '../errors/http-fault.ts'
import { json } from '../http/respond.ts'
import { defineRoute, type AnyRoute } from './definition/route.ts'
import type { Caller } from '../auth/caller.ts'

interface Question<S extends z.ZodType> {
  readonly name: string
  readonly path: string
  readonly summary: string
  readonly body: S
  readonly answer: z.ZodType
  readonly run: (service: FieldService, body: z.output<S>, caller: Caller) => Promise<unknown>
}

function fieldRoute<S extends z.ZodType>({ name, path, summary, body, answer, run }: Question<S>): AnyRoute {
  return defineRoute({
    name,
    method: 'POST',
    path,
    summary,
    role: 'read',
    body,
    answers: [{ status: 200, description: 'Counts of the rows that match the query.', schema: answer }],
    isQuery: true,
    isAvailable: (context) => context.fields !== undefined,
    handle: async (call) => {
      if (call.context.fields === undefined) throw fault('not-found', { what: 'path' })
      return json(await run(call.context.fields, call.body, call.caller))
    },
  })
}

/** Lists of fields and values, and counts over time. */
export const fieldRoutes: readonly AnyRoute[] = [
  fieldRoute({
    name: 'fieldNames',
    path: '/api/fields/names',
    summary: 'List fields',
    body: fieldNamesBody,
    answer: fieldNamesAnswer,
    run: (service, body, caller) => service.names(body, caller),
  }),
  fieldRoute({
    name: 'fieldValues',
    path: '/api/fields/values',
    summary: 'List values of a field',
    body: fieldValuesBody,
    answer: fieldValuesAnswer,
    run: (service, body, caller) => service.values(body, caller),
  }),
  fieldRoute({
    name: 'fieldFacets',
    path: '/api/fields/facets',
    summary: 'List the most frequent values of every field',
    body: fieldFacetsBody,
    answer: fieldFacetsAnswer,
    run: (service, body, caller) => service.facets(body, caller),
  }),
  fieldRoute({
    name: 'hits',
    path: '/api/hits',
    summary: 'Count rows over time',
    body: hitsBody,
    answer: hitsAnswer,
    run: (service, body, caller) => service.hits(body, caller),
  }),
]
