import { z } from 'zod'
import { makeUuid } from '../../resources/index.ts'
import { fault } from '../errors/http-fault.ts'
import { actorOf } from '../resources/actor.ts'
import { defineRoute, type AnyRoute, type RouteCall, type Method } from './definition/route.ts'

const texts = z.record(z.string(), z.string())
const time = z.string().meta({ format: 'date-time' })
const receiver = z.object({ name: z.string() })
const ids = z.array(z.string())

const alert = z
  .object({
    labels: texts,
    annotations: texts,
    startsAt: time,
    endsAt: time,
    updatedAt: time,
    generatorURL: z.string(),
    fingerprint: z.string(),
    receivers: z.array(receiver),
    status: z.object({
      state: z.enum(['unprocessed', 'active', 'suppressed']),
      silencedBy: ids,
      inhibitedBy: ids,
      mutedBy: ids,
    }),
  })
  .meta({ id: 'AlertmanagerAlert', description: "An alert in the form of Alertmanager's API." })

const silence = z
  .object({
    id: z.string(),
    status: z.object({ state: z.enum(['expired', 'active', 'pending']) }),
    updatedAt: time,
    startsAt: time,
    endsAt: time,
    createdBy: z.string(),
    comment: z.string(),
    matchers: z.array(z.object({ name: z.string(), value: z.string(), isEqual: z.boolean(), isRegex: z.boolean() })),
  })
  .meta({ id: 'AlertmanagerSilence', description: "A silence in the form of Alertmanager's API." })

const group = z
  .object({ labels: texts, receiver, alerts: z.array(alert) })
  .meta({ id: 'AlertmanagerGroup', description: 'Alerts that are notified together.' })

/** Schema of errors: a string, an object with Alertmanager's code, or the server's envelope. */
const refusal = z
  .union([z.string(), z.looseObject({ code: z.union([z.number(), z.string()]), message: z.string() })])
  .meta({ id: 'AlertmanagerError', description: 'A refusal in the form of Alertmanager.' })

const serviceStatus = z
  .looseObject({
    uptime: time,
    cluster: z.looseObject({ status: z.string() }),
    config: z.object({ original: z.string() }),
  })
  .meta({ id: 'AlertmanagerStatus', description: 'Version, uptime and configuration.' })

/** One operation of Alertmanager's API version 2. */
interface Operation {
  readonly name: string
  readonly method: Method
  readonly path: string
  readonly summary: string
  /** Schema of the answer; `undefined` for an answer without a body. */
  readonly answer: z.ZodType | undefined
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
  {
    name: 'alertmanagerStatus',
    method: 'GET',
    path: '/status',
    summary: 'Show version, uptime and configuration',
    answer: serviceStatus,
  },
  {
    name: 'alertmanagerReceivers',
    method: 'GET',
    path: '/receivers',
    summary: 'List the receivers',
    answer: z.array(receiver).meta({ id: 'AlertmanagerReceiverList' }),
  },
  {
    name: 'alertmanagerAlerts',
    method: 'GET',
    path: '/alerts',
    summary: 'List alerts',
    answer: z.array(alert).meta({ id: 'AlertmanagerAlertList' }),
    parameters: FILTERS,
  },
  {
    name: 'alertmanagerPostAlerts',
    method: 'POST',
    path: '/alerts',
    summary: 'Take alerts of another program',
    answer: undefined,
  },
  {
    name: 'alertmanagerGroups',
    method: 'GET',
    path: '/alerts/groups',
    summary: 'List alerts by group',
    answer: z.array(group).meta({ id: 'AlertmanagerGroupList' }),
    parameters: FILTERS,
  },
  {
    name: 'alertmanagerSilences',
    method: 'GET',
    path: '/silences',
    summary: 'List silences',
    answer: z.array(silence).meta({ id: 'AlertmanagerSilenceList' }),
    parameters: { filter: FILTERS.filter },
  },
  {
    name: 'alertmanagerPostSilence',
    method: 'POST',
    path: '/silences',
    summary: 'Create or change a silence',
    answer: z.object({ silenceID: z.string() }),
  },
  {
    name: 'alertmanagerSilence',
    method: 'GET',
    path: '/silence/{id}',
    summary: 'Read a silence',
    answer: silence,
  },
  {
    name: 'alertmanagerExpireSilence',
    method: 'DELETE',
    path: '/silence/{id}',
    summary: 'End a silence',
    answer: undefined,
  },
]

/** Bodies are passed on as text, because the API decodes them and has error messages of its own. */
const textBody = { body: z.unknown(), readBody: (bytes: Uint8Array): string => new TextDecoder().decode(bytes) }

/** Answers as Alertmanager does. Rejects callers with a data scope, because the answers contain labels of all rows. */
async function handle(
  { context, identity, caller, query, path, body }: RouteCall<unknown>,
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
  const { name, method, path, summary, answer, parameters = {} } = operation
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
    errors: refusal,
    answers: [
      { status: 200, description: 'Success.', ...(answer === undefined ? {} : { schema: answer }) },
      ...(path.includes('{id}') ? [{ status: 404, description: 'There is no such silence.', schema: refusal }] : []),
      ...(isRead ? [] : [{ status: 422, description: 'The body or the id is not valid.', schema: refusal }]),
    ],
    isQuery: false,
    isAvailable: (context) => context.alerting !== undefined,
    handle: (call) => handle(call, operation),
  })
})
