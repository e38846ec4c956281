import { z } from 'zod'
import { moment, momentsInOrder } from '../moment.ts'
import { condition } from '../condition.ts'
import { filterGroup } from '../filter-group.ts'
import { anyJson, integer, text, word } from '../schema.ts'

/** Sort columns of an event list. */
export const eventSortKeys = [
  'timestamp',
  'namespace',
  'instance',
  'object_kind',
  'firstSeen',
  'lastSeen',
  'type',
  'reason',
  'count',
  'workload',
  'cluster',
] as const

/** Body of `POST /api/k8s/v2/events-over-time`. */
export const eventsOverTime = z
  .object({
    Start: moment(),
    End: moment(),
    Limit: integer(0).optional(),
    Skip: integer(0).optional(),
    SortBy: word(eventSortKeys).optional(),
    SortOrder: word(['asc', 'desc']).optional(),
    WithRawEvents: z.boolean().optional(),
    Conditions: z.array(condition).optional(),
    Sources: z.array(condition).optional(),
    Query: text().optional(),
    Group: filterGroup.optional(),
  })
  .superRefine(momentsInOrder('Start', 'End'))
  .meta({ id: 'EventsOverTime', description: 'A sorted page of Kubernetes events.' })

/** One event of a list. `raw` is present only on request. */
export const eventRecord = z
  .looseObject({
    timestamp: z.string().meta({ format: 'date-time' }),
    createdTimestamp: z.string().optional(),
    type: z.string().optional(),
    reason: z.string().optional(),
    message: z.string().optional(),
    namespace: z.string().optional(),
    workload: z.string().optional(),
    instance: z.string().optional(),
    cluster: z.string().optional(),
    env: z.string().optional(),
    exitCode: anyJson().optional(),
    object_kind: z.string().optional(),
    object_uid: z.string().optional(),
    uid: z.string().optional(),
    normalized_uid: z.string().optional(),
    raw: anyJson().optional(),
  })
  .meta({ id: 'EventRecord', description: 'One Kubernetes event.' })

export const eventsOverTimeAnswer = z
  .object({ events: z.array(eventRecord), isLimitReached: z.boolean(), warningIndicator: z.boolean() })
  .meta({ id: 'EventsOverTimeAnswer', description: 'A page of events; `isLimitReached` when there are more.' })

export type EventsOverTime = z.output<typeof eventsOverTime>
export type EventRecord = z.output<typeof eventRecord>
export type EventsOverTimeAnswer = z.output<typeof eventsOverTimeAnswer>
