import { defineReadRoutes } from './define-read-routes.ts'
import { dataResponse } from './respond.ts'
import { buildInfoAnswer } from './schemas.ts'

/** Reported version of Prometheus. Clients choose features by this version. */
const SPOKEN_VERSION = '3.14.0'

export const prometheusBuildInfoRoutes = defineReadRoutes({
  name: 'prometheusBuildInfo',
  path: '/api/v1/status/buildinfo',
  summary: 'Return the version of the read API',
  parameters: {},
  answer: buildInfoAnswer,
  hasForm: false,
  isQuery: false,
  handle: async (limits) => {
    const nothing = { revision: '', branch: '', buildUser: '', buildDate: '', goVersion: '' }
    return dataResponse({ version: SPOKEN_VERSION, application: 'sluice', ...nothing }, limits)
  },
})
