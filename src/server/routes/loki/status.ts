import { z } from 'zod'
import { SluiceError } from '../../../base/index.ts'
import { formatLogql, parseLogqlOrThrow, renderLogqlError } from '../../../lang/logql/index.ts'
import { json } from '../../http/respond.ts'
import type { AnyRoute } from '../definition/route.ts'
import { defineLokiRoutes } from './define-loki-routes.ts'
import { MAX_ENTRIES, queryParameter } from './parameters.ts'

const formatAnswer = z
  .object({ status: z.enum(['success', 'invalid-query']), data: z.string().optional(), error: z.string().optional() })
  .meta({ id: 'LokiFormat', description: 'A formatted query, or why it is none.' })

const formatRoutes = defineLokiRoutes({
  name: 'lokiFormatQuery',
  path: '/loki/api/v1/format_query',
  summary: 'Format a query in LogQL',
  parameters: { query: 'The query.' },
  answer: { description: 'The query, formatted.', schema: formatAnswer },
  jsonError: formatAnswer,
  // oxlint-disable-next-line require-await
  handle: async ({ parameters, caller }) => {
    const text = queryParameter(parameters, caller)
    try {
      return json({ status: 'success', data: formatLogql(parseLogqlOrThrow(text, { isFormatOnly: true })) })
    } catch (error) {
      const [first] = error instanceof SluiceError ? error.diagnostics : []
      if (first?.code.startsWith('logql/') !== true) throw error
      return json({ status: 'invalid-query', error: renderLogqlError(first, text) }, 400)
    }
  },
})

const buildAnswer = z
  .object({
    version: z.string(),
    revision: z.string(),
    branch: z.string(),
    buildUser: z.string(),
    buildDate: z.string(),
    goVersion: z.string(),
  })
  .meta({ id: 'LokiBuildInfo', description: 'The version whose API this is.' })

const buildRoutes = defineLokiRoutes({
  name: 'lokiBuildInfo',
  path: '/loki/api/v1/status/buildinfo',
  summary: 'Tell the version of the read API of Loki',
  parameters: {},
  answer: { description: 'What is not known is empty.', schema: buildAnswer },
  isQuery: false,
  // oxlint-disable-next-line require-await
  handle: async () => json({ version: '3.6.0', revision: '', branch: '', buildUser: '', buildDate: '', goVersion: '' }),
})

const limitsAnswer = z
  .object({
    limits: z.record(z.string(), z.union([z.number(), z.boolean(), z.string()])),
    pattern_ingester_enabled: z.boolean(),
    version: z.string(),
  })
  .meta({ id: 'LokiDrilldownLimits', description: 'Limits that Logs Drilldown reads.' })

const limitsRoutes = defineLokiRoutes({
  name: 'lokiDrilldownLimits',
  path: '/loki/api/v1/drilldown-limits',
  summary: 'Tell Logs Drilldown what it may ask',
  parameters: {},
  answer: { description: 'The limits.', schema: limitsAnswer },
  isQuery: false,
  // oxlint-disable-next-line require-await
  handle: async ({ context }) =>
    json({
      limits: {
        discover_log_levels: context.limits.discoversLabels,
        max_entries_limit_per_query: MAX_ENTRIES,
        query_timeout: `${context.limits.queryMs / 1000}s`,
        volume_enabled: true,
      },
      pattern_ingester_enabled: true,
      version: '3.6.0',
    }),
})

const rulesAnswer = z
  .object({ status: z.literal('success'), data: z.object({ groups: z.array(z.never()) }) })
  .meta({ id: 'LokiRules', description: 'No rules: those of this server are under `/api/v1/rules`.' })

const rulesRoutes = defineLokiRoutes({
  name: 'lokiRules',
  path: '/prometheus/api/v1/rules',
  summary: 'List rules of Loki, of which there are none',
  parameters: {},
  answer: { description: 'An empty list.', schema: rulesAnswer },
  isQuery: false,
  // oxlint-disable-next-line require-await
  handle: async () => json({ status: 'success', data: { groups: [] }, errorType: '', error: '' }),
})

export const lokiStatusRoutes: readonly AnyRoute[] = [...formatRoutes, ...buildRoutes, ...limitsRoutes, ...rulesRoutes]
