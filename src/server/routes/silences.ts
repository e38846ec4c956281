import { z } from 'zod'
import { printJsonExact } from '../../data/index.ts'
import { silenceBody, type DocumentBody, type SilenceService } from '../../resources/index.ts'
import {
  decode,
  errorResponse,
  silenceCreate,
  silenceListParameters,
  silenceRecord,
  silenceUpdate,
  type SilenceCreate,
  type SilenceRecord,
  type SilenceUpdate,
} from '../../wire/index.ts'
import type { ServerContext } from './definition/context.ts'
import { fault } from '../errors/http-fault.ts'
import { idOf } from './definition/parameters.ts'
import { actorOf } from '../resources/actor.ts'
import { ifMatch } from '../http/if-match.ts'
import { empty, exactText, json, jsonPage } from '../http/respond.ts'
import { defineRoute, type AnyRoute, type RouteCall, type RouteAnswer } from './definition/route.ts'

const NOT_FOUND: RouteAnswer = { status: 404, description: 'There is no such silence.', schema: errorResponse }
const NO_SPACE: RouteAnswer = {
  status: 507,
  description: 'The disk is full; nothing was changed.',
  schema: errorResponse,
}
const RECORD: RouteAnswer = { status: 200, description: 'The silence.', schema: silenceRecord }

function serviceOf(context: ServerContext): SilenceService {
  if (context.silences === undefined) throw fault('not-found', { what: 'path' })
  return context.silences
}

/** Checks `If-Match`. The state of a silence, such as active, is not part of its version. */
const check = ({ headers }: RouteCall<unknown>) =>
  ifMatch(headers, (stored: SilenceRecord) => [true, false].map((active) => exactText({ ...stored, active })))

const isAvailable = (context: ServerContext): boolean => context.silences !== undefined

const PATH = '/api/monitors/silences'

const list = defineRoute({
  name: 'listSilences',
  method: 'GET',
  path: PATH,
  summary: 'List silences, latest start first; `X-Next-Skip` is the `skip` of the next page',
  role: 'read',
  parameters: [
    { name: 'active', description: '`true`: only active silences.', schema: z.enum(['true', 'false']) },
    { name: 'limit', description: 'Maximum number of items.', schema: z.number().int().min(0) },
    { name: 'skip', description: 'Number of items to skip.', schema: z.number().int().min(0) },
  ],
  answers: [{ status: 200, description: 'The silences.', schema: z.array(silenceRecord).meta({ id: 'SilenceList' }) }],
  isQuery: false,
  isTagged: true,
  isAvailable,
  handle: ({ query, identity, context, memory }) => {
    const parameters = decode(silenceListParameters, Object.fromEntries(query))
    const found = serviceOf(context).list(actorOf(identity), parameters)
    const { skip, limit } = parameters
    return jsonPage(found, { skip, limit, limitBytes: context.limits.answerBytes, memory })
  },
})

const checking = {
  method: 'POST',
  path: PATH,
  summary: 'Check a silence',
  role: 'write',
  answers: [],
  isQuery: true,
  isAvailable,
  // oxlint-disable-next-line require-await
  handle: async ({ body }: RouteCall<SilenceCreate | SilenceUpdate>) => ({
    status: 200,
    headers: {},
    body: printJsonExact(silenceBody(body)),
  }),
} as const

const create: AnyRoute = {
  name: 'createSilence',
  checkedBy: { ...checking, name: 'checkSilence', body: silenceCreate },
  method: 'POST',
  path: PATH,
  summary: 'Create a silence',
  role: 'write',
  body: silenceCreate,
  answers: [RECORD, NO_SPACE],
  isQuery: false,
  isAvailable,
  handle: async ({ body, identity, context }: RouteCall<DocumentBody>) =>
    json(await serviceOf(context).create(actorOf(identity), body)),
}

const read = defineRoute({
  name: 'getSilence',
  method: 'GET',
  path: `${PATH}/{id}`,
  summary: 'Read a silence',
  role: 'read',
  answers: [RECORD, NOT_FOUND],
  isQuery: false,
  isTagged: true,
  isAvailable,
  // oxlint-disable-next-line require-await
  handle: async (call) => json(serviceOf(call.context).read(actorOf(call.identity), idOf(call))),
})

const update: AnyRoute = {
  name: 'updateSilence',
  checkedBy: { ...checking, name: 'checkSilenceUpdate', body: silenceUpdate },
  method: 'PUT',
  path: `${PATH}/{id}`,
  summary: 'Update a silence; missing members keep their values',
  role: 'write',
  body: silenceUpdate,
  answers: [RECORD, NOT_FOUND, NO_SPACE],
  isQuery: false,
  takesIfMatch: true,
  isAvailable,
  handle: async (call: RouteCall<DocumentBody>) =>
    json(await serviceOf(call.context).update(actorOf(call.identity), idOf(call), call.body, check(call))),
}

const remove = defineRoute({
  name: 'deleteSilence',
  method: 'DELETE',
  path: `${PATH}/{id}`,
  summary: 'Delete a silence',
  role: 'write',
  answers: [{ status: 200, description: 'The silence is deleted.' }, NOT_FOUND],
  isQuery: false,
  takesIfMatch: true,
  isAvailable,
  handle: async (call) => {
    await serviceOf(call.context).remove(actorOf(call.identity), idOf(call), check(call))
    return empty()
  },
})

export const silenceRoutes: readonly AnyRoute[] = [list, create, read, update, remove]
