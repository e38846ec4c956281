import { z } from 'zod'
import { PLAIN_TYPE } from '../../http/error-forms.ts'
import { json } from '../../http/respond.ts'
import type { AnyRoute } from '../definition/route.ts'
import { defineTempoRoutes } from './define-tempo-routes.ts'

const echoRoutes = defineTempoRoutes({
  name: 'tempoEcho',
  path: '/api/echo',
  summary: 'Tell a data source of Tempo that it can ask',
  parameters: {},
  answers: [{ description: 'The word `echo`.', schema: z.string(), contentType: 'text/plain' }],
  isQuery: false,
  // oxlint-disable-next-line require-await
  handle: async () => ({ status: 200, headers: { 'Content-Type': PLAIN_TYPE }, body: 'echo\n' }),
})

const buildRoutes = defineTempoRoutes({
  name: 'tempoBuildInfo',
  path: '/api/status/buildinfo',
  summary: 'Tell the version of the read API of Tempo',
  parameters: {},
  answers: [
    {
      description: 'What is not known is empty.',
      schema: z
        .object({ version: z.string(), revision: z.string(), branch: z.string(), buildUser: z.string() })
        .extend({ buildDate: z.string(), goVersion: z.string() })
        .meta({ id: 'TempoBuildInfo', description: 'The version whose API this is.' }),
    },
  ],
  isQuery: false,
  // oxlint-disable-next-line require-await
  handle: async () => json({ version: '2.9.0', revision: '', branch: '', buildUser: '', buildDate: '', goVersion: '' }),
})

/** Routes for health checks and versions. */
export const tempoStatusRoutes: readonly AnyRoute[] = [...echoRoutes, ...buildRoutes]
