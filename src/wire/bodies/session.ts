import { z } from 'zod'

/** Maximum length of a sign-in code, UTF-16 units; real codes are shorter. */
const MAX_CODE_CHARS = 200

export const sessionBody = z
  .object({ code: z.string().min(1).max(MAX_CODE_CHARS) })
  .meta({ id: 'SignIn', description: 'The single-use code of the link that the server prints at its start.' })

export const sessionAnswer = z
  .object({
    key: z.string(),
    user: z.string().optional(),
    signedIn: z.enum(['session', 'key']),
    backends: z.array(z.string()),
    roles: z.array(z.string()),
    isScoped: z.boolean(),
    version: z.string(),
    features: z.array(z.string()),
  })
  .meta({
    id: 'SessionAnswer',
    description:
      'Who is signed in: the public id and user of the key, the backends that it has access to, its roles and whether policies hide rows in the backend of the request (by default the first), and what this server has.',
  })
