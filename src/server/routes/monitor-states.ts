import { z } from 'zod'
import { formatRfc3339, parseRfc3339 } from '../../base/index.ts'
import { Labels } from '../../data/index.ts'
import { monitorTables, type AlertingService, type MonitorStatus } from '../../alerting/index.ts'
import type { DataScope } from '../../policy/index.ts'
import { labelVisibility } from '../search/label-visibility.ts'
import { errorResponse } from '../../wire/index.ts'
import { fault } from '../errors/http-fault.ts'
import { empty, json } from '../http/respond.ts'
import { actorOf } from '../resources/actor.ts'
import type { ServerContext } from './definition/context.ts'
import { idOf } from './definition/parameters.ts'
import { defineRoute, type AnyRoute, type RouteCall, type RouteAnswer } from './definition/route.ts'

const NOT_FOUND: RouteAnswer = { status: 404, description: 'There is no such monitor or alert.', schema: errorResponse }

const texts = z.record(z.string(), z.string())
const time = z.string().meta({ format: 'date-time' })
const stateWord = z.enum(['Normal', 'Pending', 'Alerting', 'NoData', 'Error'])

const instanceState = z
  .object({
    labels: texts,
    state: stateWord,
    reason: z.string().optional(),
    value: z.number().optional(),
    activeAt: time.optional(),
    firedAt: time.optional(),
    annotations: texts,
    silencedBy: z.array(z.string()),
  })
  .meta({ id: 'MonitorInstance', description: 'One label set of a monitor with its state.' })

const monitorState = z
  .object({
    state: z.enum([...stateWord.options, 'Paused']),
    health: z.enum(['unknown', 'ok', 'err']),
    error: z.string().optional(),
    evaluatedAt: time.optional(),
    instances: z.array(instanceState),
    history: z.array(
      z.object({ at: time, labels: texts, from: stateWord, to: stateWord, reason: z.string().optional() }),
    ),
  })
  .meta({ id: 'MonitorState', description: 'The state of a monitor, its instances and its latest changes.' })

const deadLetter = z
  .object({
    id: z.string(),
    receiver: z.string(),
    status: z.string(),
    at: time,
    reason: z.string(),
    alerts: z.number(),
  })
  .meta({ id: 'DeadLetter', description: 'A notification that was given up.' })

/** Monitor states, most urgent first. */
const STATES = ['Error', 'Alerting', 'NoData', 'Pending', 'Normal'] as const

function timeText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : formatRfc3339(BigInt(Math.round(ms)) * 1_000_000n, true)
}

const isAvailable = (context: ServerContext): boolean => context.alerting !== undefined

function serviceOf({ context, identity }: Pick<RouteCall<unknown>, 'context' | 'identity'>): AlertingService {
  const service = context.alerting?.of(actorOf(identity).backend)
  if (service === undefined) throw fault('busy', { reason: 'its monitors are not loaded yet' }, { 'Retry-After': '1' })
  return service
}

function statusOf(call: Pick<RouteCall<unknown>, 'context' | 'identity' | 'path'>): MonitorStatus {
  const status = serviceOf(call).status(idOf(call))
  if (status === undefined) throw fault('not-found', { what: 'monitor' })
  return status
}

/** Returns the state of a monitor, and the instances that the caller may see (M64). */
function stateForm(
  { definition, record }: MonitorStatus,
  service: AlertingService,
  scope: DataScope | undefined,
): object {
  const { id, isPaused, queries } = definition
  const isVisible = labelVisibility(scope, monitorTables(queries))
  const { instances, evaluatedAtMs } = record.state
  const listed = [...instances.values()].filter(({ labels }) => isVisible(labels))
  const found = new Set(listed.map(({ state }) => state))
  return {
    state: isPaused ? 'Paused' : (STATES.find((state) => found.has(state)) ?? 'Normal'),
    health: evaluatedAtMs === undefined ? 'unknown' : record.error === undefined ? 'ok' : 'err',
    error: record.error,
    evaluatedAt: timeText(evaluatedAtMs),
    instances: listed.map(({ labels, state, reason, activeAtMs, firedAtMs }) => {
      const details = record.details.get(labels.key)
      return {
        labels: labels.toRecord(),
        state,
        reason,
        value: details?.value,
        activeAt: timeText(activeAtMs),
        firedAt: timeText(firedAtMs),
        annotations: (details?.annotations ?? Labels.empty).toRecord(),
        silencedBy: service.silencedBy(id, labels),
      }
    }),
    history: service
      .history(id)
      .filter(({ labels }) => isVisible(labels))
      .map(({ atMs, labels, ...entry }) => ({ at: timeText(atMs), labels: labels.toRecord(), ...entry })),
  }
}

const state = defineRoute({
  name: 'getMonitorState',
  method: 'GET',
  path: '/api/monitors/{id}/state',
  summary: 'Read the state of a monitor: its instances and their latest changes',
  role: 'read',
  answers: [{ status: 200, description: 'The state.', schema: monitorState }, NOT_FOUND],
  isQuery: false,
  isTagged: true,
  isAvailable,
  // oxlint-disable-next-line require-await
  handle: async (call) => {
    const service = serviceOf(call)
    const error = service.unusableReason(idOf(call))
    if (error !== undefined) return json({ state: 'Error', health: 'err', error, instances: [], history: [] })
    return json(stateForm(statusOf(call), service, call.caller.scope))
  },
})

const resolve = defineRoute({
  name: 'resolveMonitorAlert',
  method: 'POST',
  path: '/api/monitors/{id}/resolve',
  summary: 'End an alert that its monitor does not resolve by itself',
  role: 'write',
  body: z.object({ labels: texts }),
  answers: [{ status: 200, description: 'The alert is resolved.' }, NOT_FOUND],
  isQuery: false,
  isAvailable,
  handle: async (call) => {
    const { definition } = statusOf(call)
    const labels = Labels.of(call.body.labels)
    const isVisible = labelVisibility(call.caller.scope, monitorTables(definition.queries))(labels)
    if (!isVisible || !(await serviceOf(call).resolve(definition.id, labels)))
      throw fault('not-found', { what: 'alert' })
    return empty()
  },
})

const deadLetters = defineRoute({
  name: 'listDeadLetters',
  method: 'GET',
  path: '/api/monitors/dead-letters',
  summary: 'List notifications that were given up',
  role: 'read',
  answers: [
    {
      status: 200,
      description: 'The notifications, latest last.',
      schema: z.array(deadLetter).meta({ id: 'DeadLetterList' }),
    },
  ],
  isQuery: false,
  isTagged: true,
  isAvailable,
  // oxlint-disable-next-line require-await
  handle: async (call) => {
    const letters = call.caller.scope === undefined ? serviceOf(call).dispatcher.deadLetters() : []
    return json(
      letters.map(({ id, receiver, status, atMs, reason, fingerprints }) => ({
        id,
        receiver,
        status,
        at: timeText(atMs),
        reason,
        alerts: fingerprints.length,
      })),
    )
  },
})

const resend = defineRoute({
  name: 'resendDeadLetter',
  method: 'POST',
  path: '/api/monitors/dead-letters/{id}/resend',
  summary: 'Send a notification again that was given up, with the alerts that its group has now',
  role: 'write',
  answers: [{ status: 202, description: 'The notification is attempted again.' }, NOT_FOUND],
  isQuery: false,
  isAvailable,
  // oxlint-disable-next-line require-await
  handle: async (call) => {
    if (!serviceOf(call).resend(call.path.get('id') ?? '')) throw fault('not-found', { what: 'dead letter' })
    return empty(202)
  },
})

const moveClock = defineRoute({
  name: 'moveTestClock',
  method: 'POST',
  path: '/test/clock',
  summary: 'Move the test clock and run everything that is due by then',
  role: 'write',
  body: z.object({ now: z.string().meta({ format: 'date-time' }) }),
  answers: [{ status: 200, description: 'All evaluations and notifications up to this time are done.' }],
  isQuery: false,
  isAvailable: (context) => context.alerting?.moveClock !== undefined,
  handle: async ({ body, context }) => {
    const ns = parseRfc3339(body.now)
    if (ns === undefined)
      throw fault('bad-parameter', { name: 'now', expected: 'an RFC 3339 time', found: JSON.stringify(body.now) })
    await context.alerting?.moveClock?.(Number(ns / 1_000_000n))
    return empty()
  },
})

export const monitorStateRoutes: readonly AnyRoute[] = [state, resolve, deadLetters, resend, moveClock]
