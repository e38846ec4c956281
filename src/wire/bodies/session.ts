import { z } from 'zod'

/** Longer than any code. */
const MAX_CODE_CHARS = 200

export const sessionBody = z
  .object({ code: z.string().min(1).max(MAX_CODE_CHARS) })
  .meta({ id: 'SignIn', description: 'The single-use code of the link that the server prints at its start.' })

export const sessionAnswer = z
  .object({
    keyId: z.string(),
    user: z.string().optional(),
    signedIn: z.enum(['session', 'key']),
    backends: z.array(z.object({ id: z.string(), roles: z.array(z.string()), isScoped: z.boolean() })),
    version: z.string(),
    features: z.array(z.string()),
  })
  .meta({
    id: 'SessionAnswer',
    description:
      'Who is signed in: the public id and user of the key, the backends with its roles there and whether policies hide rows, and what this server has.',
  })
