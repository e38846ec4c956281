import { z } from 'zod'
import { present } from '../../base/index.ts'
import { parseJsonPlain, printJsonExact, type PlainJson } from '../../data/index.ts'
import {
  readMonitor,
  type DocumentBody,
  type MonitorBody,
  type MonitorFilter,
  type MonitorRow,
  type MonitorService,
} from '../../resources/index.ts'
import { errorResponse, monitor, monitorCreated, monitorList, monitorListAnswer } from '../../wire/index.ts'
import { textOfAnswer } from '../http/answer.ts'
import type { ServerContext } from './definition/context.ts'
import { fault } from '../errors/http-fault.ts'
import { idOf, wordParameter } from './definition/parameters.ts'
import { actorOf } from '../resources/actor.ts'
import { ifMatch } from '../http/if-match.ts'
import { empty, json } from '../http/respond.ts'
import { defineRoute, type AnyRoute, type RouteCall, type RouteAnswer } from './definition/route.ts'

const MONITORS = '/api/monitors'

/** Accepted content types: JSON and YAML. JSON may be declared as YAML, and YAML as text. */
const BODY_TYPES = [
  'application/json',
  'application/x-yaml',
  'application/yaml',
  'text/yaml',
  'text/x-yaml',
  'text/plain',
] as const

const NOT_FOUND: RouteAnswer = { status: 404, description: 'There is no such monitor.', schema: errorResponse }
const REFUSED: readonly RouteAnswer[] = [
  { status: 409, description: 'Another monitor has the title.', schema: errorResponse },
  { status: 422, description: 'The model does not compile.', schema: errorResponse },
  { status: 507, description: 'The disk is full; nothing was changed.', schema: errorResponse },
]

function serviceOf(context: ServerContext): MonitorService {
  if (context.monitors === undefined) throw fault('not-found', { what: 'path' })
  return context.monitors
}

const isAvailable = (context: ServerContext): boolean => context.monitors !== undefined

/** Internal route that filters monitor rows. It runs in a worker, because filtering takes as long as a query. */
const pick: AnyRoute = {
  name: 'pickMonitors',
  method: 'POST',
  path: '/api/monitors/list',
  summary: 'List ids of monitors that match a filter',
  role: 'read',
  body: z.unknown(),
  readBody: (bytes) => parseJsonPlain(new TextDecoder().decode(bytes)),
  answers: [],
  isQuery: true,
  isAvailable,
  handle: async ({ body, caller, context }: RouteCall<Picking>) =>
    json(await present(context.pickMonitors)(body.rows, body.filter, caller)),
}

interface Picking {
  readonly filter: MonitorFilter
  readonly rows: readonly MonitorRow[]
}

const list = defineRoute({
  name: 'listMonitors',
  method: 'POST',
  path: '/api/monitors/list',
  summary: 'List monitors',
  role: 'read',
  body: monitorList,
  answers: [{ status: 200, description: 'The monitors; `done` is false when more follow.', schema: monitorListAnswer }],
  isQuery: false,
  isTagged: true,
  isAvailable,
  asks: pick,
  handle: async ({ body, identity, context, ask }) => {
    const service = serviceOf(context)
    const actor = actorOf(identity)
    const { query, conditions = [] } = body
    if (query === undefined && conditions.length === 0) return json(service.list(actor, body))
    const filter = printJsonExact({ ...(query !== undefined && { query }), conditions: conditions as PlainJson[] })
    const picked = new Set<string>()
    for (const rows of service.rowTexts(actor)) {
      const answer = await present(ask)(Buffer.from(`{"filter":${filter},"rows":${rows}}`))
      if (answer.status !== 200) return answer
      for (const id of JSON.parse(textOfAnswer(answer)) as readonly string[]) picked.add(id)
    }
    return json(service.list(actor, body, picked))
  },
})

const read = defineRoute({
  name: 'getMonitor',
  method: 'GET',
  path: '/api/monitors/{id}',
  summary: 'Read the definition of a monitor',
  role: 'read',
  answers: [
    {
      status: 200,
      description: 'The definition as YAML; it can be sent back as it is.',
      schema: monitor,
      contentType: 'application/x-yaml',
    },
    NOT_FOUND,
  ],
  isQuery: false,
  isTagged: true,
  isAvailable,
  // oxlint-disable-next-line require-await
  handle: async (call) => {
    const yaml = serviceOf(call.context).read(actorOf(call.identity), idOf(call))
    return { status: 200, headers: { 'Content-Type': 'application/x-yaml' }, body: yaml }
  },
})

/**
 * Internal route that parses and compiles a definition. It runs in a worker, because this takes too long for the main
 * thread.
 */
const check: AnyRoute = {
  name: 'checkMonitor',
  method: 'POST',
  path: MONITORS,
  summary: 'Check a monitor',
  role: 'write',
  body: monitor,
  bodyTypes: BODY_TYPES,
  readBody: readMonitor,
  answers: [],
  isQuery: true,
  isAvailable,
  // oxlint-disable-next-line require-await
  handle: async ({ body, caller, context }: RouteCall<MonitorBody>) => {
    context.checkMonitor?.(body.monitor, caller)
    return { status: 200, headers: {}, body: printJsonExact(body.body) }
  },
}

const create: AnyRoute = {
  name: 'createMonitor',
  method: 'POST',
  path: MONITORS,
  checkedBy: check,
  summary: 'Create a monitor',
  role: 'write',
  body: monitor,
  bodyTypes: BODY_TYPES,
  answers: [{ status: 200, description: 'The id of the monitor.', schema: monitorCreated }, ...REFUSED],
  isQuery: false,
  isAvailable,
  handle: async ({ body, identity, context }: RouteCall<DocumentBody>) => {
    const monitorId = await serviceOf(context).create(actorOf(identity), body)
    return json({ monitorId })
  },
}

const update: AnyRoute = {
  name: 'updateMonitor',
  method: 'PUT',
  path: '/api/monitors/{id}',
  checkedBy: check,
  summary: 'Update a monitor; missing members keep their values, unless the body replaces the definition',
  role: 'write',
  parameters: [
    {
      name: 'replace',
      description: '`true`: the body is the whole definition, and members that it lacks are removed.',
      schema: z.enum(['true', 'false']),
    },
  ],
  body: monitor,
  bodyTypes: BODY_TYPES,
  answers: [{ status: 202, description: 'The monitor is changed.' }, NOT_FOUND, ...REFUSED],
  isQuery: false,
  takesIfMatch: true,
  isAvailable,
  handle: async (call: RouteCall<DocumentBody>) => {
    const { context, identity, body, caller, query, headers } = call
    await serviceOf(context).update(actorOf(identity), idOf(call), body, {
      hasScope: caller.scope !== undefined,
      isWhole: wordParameter(query, 'replace', ['true', 'false']) === 'true',
      check: ifMatch(headers, (yaml) => [yaml]),
    })
    return empty(202)
  },
}

const remove = defineRoute({
  name: 'deleteMonitor',
  method: 'DELETE',
  path: '/api/monitors/{id}',
  summary: 'Delete a monitor',
  role: 'write',
  answers: [{ status: 200, description: 'The monitor is deleted.' }, NOT_FOUND],
  isQuery: false,
  takesIfMatch: true,
  isAvailable,
  handle: async (call) => {
    const check = ifMatch<string>(call.headers, (yaml) => [yaml])
    await serviceOf(call.context).remove(actorOf(call.identity), idOf(call), check)
    return empty()
  },
})

export const monitorRoutes: readonly AnyRoute[] = [list, read, create, update, remove]
