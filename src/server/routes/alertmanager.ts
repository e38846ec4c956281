import { z } from 'zod'
import { makeUuid } from '../../resources/index.ts'
import { fault } from '../errors/http-fault.ts'
import { actorOf } from '../resources/actor.ts'
import { defineRoute, type AnyRoute, type Call, type Method } from './definition/route.ts'

/** One operation of Alertmanager's API version 2. */
interface Operation {
  readonly name: string
  readonly method: Method
  readonly path: string
  readonly summary: string
  /** Names of query parameters with a sentence each. */
  readonly parameters?: Readonly<Record<string, string>>
}

const FILTERS = {
  filter: 'A matcher such as `team="db"`; may repeat.',
  active: '`false` leaves active alerts out.',
  silenced: '`false` leaves silenced alerts out.',
  inhibited: '`false` leaves inhibited alerts out.',
  receiver: 'Only alerts for receivers whose whole name matches this pattern.',
}

const OPERATIONS: readonly Operation[] = [
  { name: 'alertmanagerStatus', method: 'GET', path: '/status', summary: 'Show version, uptime and configuration' },
  { name: 'alertmanagerReceivers', method: 'GET', path: '/receivers', summary: 'List the receivers' },
  { name: 'alertmanagerAlerts', method: 'GET', path: '/alerts', summary: 'List alerts', parameters: FILTERS },
  { name: 'alertmanagerPostAlerts', method: 'POST', path: '/alerts', summary: 'Take alerts of another program' },
  {
    name: 'alertmanagerGroups',
    method: 'GET',
    path: '/alerts/groups',
    summary: 'List alerts by group',
    parameters: FILTERS,
  },
  {
    name: 'alertmanagerSilences',
    method: 'GET',
    path: '/silences',
    summary: 'List silences',
    parameters: { filter: FILTERS.filter },
  },
  { name: 'alertmanagerPostSilence', method: 'POST', path: '/silences', summary: 'Create or change a silence' },
  { name: 'alertmanagerSilence', method: 'GET', path: '/silence/{id}', summary: 'Read a silence' },
  { name: 'alertmanagerExpireSilence', method: 'DELETE', path: '/silence/{id}', summary: 'End a silence' },
]

/** Bodies are decoded by the API itself, with Alertmanager's own refusals. */
const textBody = { body: z.unknown(), readBody: (bytes: Uint8Array): string => new TextDecoder().decode(bytes) }

/** Answers as Alertmanager does. Callers with a data scope are refused: the answers name labels of all rows. */
async function handle(
  { context, identity, caller, query, path, body }: Call<unknown>,
  { method, path: template }: Operation,
) {
  if (caller.scope !== undefined) throw fault('alerts-under-scope', {})
  const actor = actorOf(identity)
  const service = context.alerting?.of(actor.backend)
  if (service === undefined) throw fault('busy', { reason: 'its monitors are not loaded yet' }, { 'Retry-After': '1' })
  const answer = await service.alertmanager(actor, () => makeUuid(context.randomBytes), {
    method,
    path: `/api/v2${template.replace('{id}', path.get('id') ?? '')}`,
    query,
    body: typeof body === 'string' ? body : '',
  })
  const isEmpty = answer.body === undefined
  return {
    status: answer.status,
    headers: isEmpty ? {} : { 'Content-Type': 'application/json' },
    body: isEmpty ? null : JSON.stringify(answer.body),
  }
}

export const alertmanagerRoutes: readonly AnyRoute[] = OPERATIONS.map((operation) => {
  const { name, method, path, summary, parameters = {} } = operation
  const isRead = method === 'GET'
  return defineRoute({
    name,
    method,
    path: `/api/v2${path}`,
    summary,
    role: isRead ? 'read' : 'write',
    ...(method === 'POST' ? textBody : {}),
    parameters: Object.entries(parameters).map(([parameter, description]) => ({
      name: parameter,
      description,
      schema: z.string(),
    })),
    answers: [{ status: 200, description: "The answer in the form of Alertmanager's API." }],
    isQuery: false,
    isAvailable: (context) => context.alerting !== undefined,
    handle: (call) => handle(call, operation),
  })
})
