import { z } from 'zod'
import { condition } from '../condition.ts'
import { integer, text, word } from '../schema.ts'

/** Body of `POST /api/monitors/list`. `query` is a filter in the log language over `monitor_name` and `type`. */
export const monitorList = z
  .object({
    conditions: z.array(condition).optional(),
    limit: integer(0).default(1000),
    query: text().optional(),
    skip: integer(0).default(0),
    sort: word(['name', 'type']).default('name'),
  })
  .meta({ id: 'MonitorList', description: 'Which monitors to list.' })

export const monitorListAnswer = z
  .object({
    monitors: z.array(z.object({ uuid: z.string(), title: z.string(), type: z.string() })),
    done: z.boolean(),
  })
  .meta({ id: 'MonitorListAnswer', description: 'Monitors by name and kind.' })

export type MonitorList = z.output<typeof monitorList>
export type MonitorListAnswer = z.output<typeof monitorListAnswer>
