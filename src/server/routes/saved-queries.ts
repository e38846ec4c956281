import type { SavedQueryService } from '../../resources/index.ts'
import { errorResponse, savedQueries, type SavedQueries } from '../../wire/index.ts'
import { ifMatch } from '../http/if-match.ts'
import { exactText, json } from '../http/respond.ts'
import { fault } from '../errors/http-fault.ts'
import { actorOf } from '../resources/actor.ts'
import type { ServerContext } from './definition/context.ts'
import { defineRoute, type AnyRoute } from './definition/route.ts'

const PATH = '/api/saved-queries'

function serviceOf({ savedQueries: service }: ServerContext): SavedQueryService {
  if (service === undefined) throw fault('not-found', { what: 'path' })
  return service
}

const isAvailable = (context: ServerContext): boolean => context.savedQueries !== undefined

const read = defineRoute({
  name: 'getSavedQueries',
  method: 'GET',
  path: PATH,
  summary: "List the saved queries of the caller's user",
  role: 'read',
  answers: [{ status: 200, description: 'The queries, in their order.', schema: savedQueries }],
  isQuery: false,
  isTagged: true,
  isAvailable,
  // oxlint-disable-next-line require-await
  handle: async ({ identity, context }) => json(serviceOf(context).read(actorOf(identity))),
})

const replace = defineRoute({
  name: 'replaceSavedQueries',
  method: 'PUT',
  path: PATH,
  summary: "Replace the saved queries of the caller's user",
  role: 'read',
  body: savedQueries,
  answers: [
    { status: 200, description: 'The queries as they are stored.', schema: savedQueries },
    { status: 507, description: 'The disk is full; nothing was changed.', schema: errorResponse },
  ],
  isQuery: false,
  takesIfMatch: true,
  isAvailable,
  handle: async ({ body, identity, context, headers }) => {
    const check = ifMatch(headers, (stored: SavedQueries) => [exactText(stored)])
    return json(await serviceOf(context).replace(actorOf(identity), body, check))
  },
})

export const savedQueryRoutes: readonly AnyRoute[] = [read, replace]
