import { z } from 'zod'

export const keyRecord = z
  .object({
    key: z.string().describe('Its public id, as in logs and audit records.'),
    user: z.string().optional(),
    roles: z.array(z.enum(['read', 'write', 'admin'])),
    isOfAllBackends: z.boolean(),
    usedAt: z.string().meta({ format: 'date-time' }).optional().describe('Its last request since the server started.'),
  })
  .meta({ id: 'KeyRecord', description: 'A key, without its secret.' })

export type KeyEntry = z.output<typeof keyRecord>
