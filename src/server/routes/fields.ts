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
import type { FieldService } from '../fields/field-service.ts'
import { fault } from '../http-fault.ts'
import { json } from '../respond.ts'
import { defineRoute, type AnyRoute } from '../route.ts'
import type { Asker } from '../service-interfaces.ts'

interface Question<S extends z.ZodType> {
  readonly name: string
  readonly path: string
  readonly summary: string
  readonly body: S
  readonly answer: z.ZodType
  readonly ask: (service: FieldService, body: z.output<S>, asker: Asker) => Promise<unknown>
}

function fieldRoute<S extends z.ZodType>({ name, path, summary, body, answer, ask }: Question<S>): AnyRoute {
  return defineRoute({
    name,
    method: 'POST',
    path,
    summary,
    role: 'read',
    body,
    answers: [{ status: 200, description: 'Counted over the rows that the query finds.', schema: answer }],
    isQuery: true,
    isAvailable: (context) => context.fields !== undefined,
    handle: async (call) => {
      if (call.context.fields === undefined) throw fault('not-found', { what: 'path' })
      return json(await ask(call.context.fields, call.body, call.asker))
    },
  })
}

/** What there is to ask for, and how much of it over time. */
export const fieldRoutes: readonly AnyRoute[] = [
  fieldRoute({
    name: 'fieldNames',
    path: '/api/fields/names',
    summary: 'List fields',
    body: fieldNamesBody,
    answer: fieldNamesAnswer,
    ask: (service, body, asker) => service.names(body, asker),
  }),
  fieldRoute({
    name: 'fieldValues',
    path: '/api/fields/values',
    summary: 'List values of a field',
    body: fieldValuesBody,
    answer: fieldValuesAnswer,
    ask: (service, body, asker) => service.values(body, asker),
  }),
  fieldRoute({
    name: 'fieldFacets',
    path: '/api/fields/facets',
    summary: 'List the most frequent values of every field',
    body: fieldFacetsBody,
    answer: fieldFacetsAnswer,
    ask: (service, body, asker) => service.facets(body, asker),
  }),
  fieldRoute({
    name: 'hits',
    path: '/api/hits',
    summary: 'Count rows over time',
    body: hitsBody,
    answer: hitsAnswer,
    ask: (service, body, asker) => service.hits(body, asker),
  }),
]
