import { z } from 'zod'
import { metricAnswer } from '../../../wire/index.ts'

const status = z.literal('success')
const warnings = z.array(z.string()).optional()

export const seriesAnswer = z.object({ status, data: z.array(z.record(z.string(), z.string())), warnings })
export const textsAnswer = z.object({ status, data: z.array(z.string()), warnings })
export const textAnswer = z.object({ status, data: z.string() })
export const treeAnswer = z.object({ status, data: z.record(z.string(), z.unknown()) })
export const metadataAnswer = z.object({
  status,
  data: z.record(z.string(), z.array(z.object({ type: z.string(), help: z.string(), unit: z.string() }))),
})
export const buildInfoAnswer = z.object({ status, data: z.record(z.string(), z.string()) })
export const targetsAnswer = z.object({
  status,
  data: z.object({
    activeTargets: z.array(z.record(z.string(), z.string())),
    droppedTargets: z.array(z.record(z.string(), z.string())),
    droppedTargetCounts: z.record(z.string(), z.number()),
  }),
})
export const targetMetadataAnswer = z.object({ status, data: z.array(z.record(z.string(), z.string())) })
export const scrapePoolsAnswer = z.object({ status, data: z.object({ scrapePools: z.array(z.string()) }) })
export const notificationsAnswer = z.object({ status, data: z.array(z.record(z.string(), z.string())) })
export const featuresAnswer = z.object({ status, data: z.record(z.string(), z.record(z.string(), z.boolean())) })
export const walReplayAnswer = z.object({
  status,
  data: z.object({ min: z.number(), max: z.number(), current: z.number(), state: z.literal('done') }),
})
export const blocksAnswer = z.object({ status, data: z.object({ blocks: z.array(z.record(z.string(), z.string())) }) })
export const alertManagersAnswer = z.object({
  status,
  data: z.object({
    activeAlertmanagers: z.array(z.object({ url: z.string() })),
    droppedAlertmanagers: z.array(z.object({ url: z.string() })),
  }),
})
const texts = z.record(z.string(), z.string())
const alert = z.object({
  labels: texts,
  annotations: texts,
  state: z.enum(['inactive', 'pending', 'firing']),
  activeAt: z.string(),
  keepFiringSince: z.string().optional(),
  value: z.string(),
})
const ruleOutcome = {
  health: z.enum(['unknown', 'ok', 'err']),
  lastError: z.string().optional(),
  evaluationTime: z.number(),
  lastEvaluation: z.string(),
}
const alertingRule = z.object({
  type: z.literal('alerting'),
  name: z.string(),
  query: z.string(),
  duration: z.number(),
  keepFiringFor: z.number(),
  labels: texts,
  annotations: texts,
  alerts: z.array(alert),
  state: z.enum(['inactive', 'pending', 'firing']),
  ...ruleOutcome,
})
const recordingRule = z.object({
  type: z.literal('recording'),
  name: z.string(),
  query: z.string(),
  labels: texts.optional(),
  ...ruleOutcome,
})
export const rulesAnswer = z.object({
  status,
  data: z.object({
    groups: z.array(
      z.object({
        name: z.string(),
        file: z.string(),
        interval: z.number(),
        limit: z.number(),
        evaluationTime: z.number(),
        lastEvaluation: z.string(),
        rules: z.array(z.union([alertingRule, recordingRule])),
      }),
    ),
    groupNextToken: z.string().optional(),
  }),
})
export const alertsAnswer = z.object({ status, data: z.object({ alerts: z.array(alert) }) })
export const exemplarsAnswer = z.object({
  status,
  data: z.array(
    z.object({
      seriesLabels: texts,
      exemplars: z.array(z.object({ labels: texts, value: z.string(), timestamp: z.number() })),
    }),
  ),
})
export const configAnswer = z.object({ status, data: z.object({ yaml: z.string() }) })
export const flagsAnswer = z.object({ status, data: texts })
export const runtimeInfoAnswer = z.object({
  status,
  data: z.object({
    startTime: z.string(),
    CWD: z.string(),
    hostname: z.string(),
    serverTime: z.string(),
    reloadConfigSuccess: z.boolean(),
    lastConfigTime: z.string(),
    corruptionCount: z.number(),
    goroutineCount: z.number(),
    GOMAXPROCS: z.number(),
    GOMEMLIMIT: z.number(),
    GOGC: z.string(),
    GODEBUG: z.string(),
    storageRetention: z.string(),
  }),
})
const counts = z.array(z.object({ name: z.string(), value: z.number() }))
export const tsdbAnswer = z.object({
  status,
  data: z.object({
    headStats: z.object({
      numSeries: z.number(),
      numLabelPairs: z.number(),
      chunkCount: z.number(),
      minTime: z.number(),
      maxTime: z.number(),
    }),
    seriesCountByMetricName: counts,
    labelValueCountByLabelName: counts,
    memoryInBytesByLabelName: counts,
    seriesCountByLabelValuePair: counts,
  }),
})
export { metricAnswer as queryAnswer }

/** Error of Prometheus's API, in addition to the members of the envelope. */
export const prometheusError = z
  .object({ status: z.literal('error'), errorType: z.string(), error: z.string(), message: z.string() })
  .meta({ id: 'PrometheusError', description: 'An error of the Prometheus API, beside the members of every error.' })
