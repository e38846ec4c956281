import { printDurationMs } from '../../../lang/promql/index.ts'
import { defineReadRoutes } from './define-read-routes.ts'
import { dataResponse } from './respond.ts'
import {
  blocksAnswer,
  configAnswer,
  featuresAnswer,
  flagsAnswer,
  runtimeInfoAnswer,
  walReplayAnswer,
} from './schemas.ts'

const shared = { parameters: {}, hasForm: false, isQuery: false } as const

const configRoutes = defineReadRoutes({
  ...shared,
  name: 'prometheusConfig',
  path: '/api/v1/status/config',
  summary: 'Return the configuration file; always empty',
  answer: configAnswer,
  handle: (limits) => dataResponse({ yaml: '' }, limits),
})

/** Enabled language features. */
const FEATURES = [
  'promql-binop-fill-modifiers',
  'promql-delayed-name-removal',
  'promql-duration-expr',
  'promql-experimental-functions',
  'promql-extended-range-selectors',
  'use-start-timestamps',
]

const flagRoutes = defineReadRoutes({
  ...shared,
  name: 'prometheusFlags',
  path: '/api/v1/status/flags',
  summary: 'Return the limits of metric queries as flags of Prometheus',
  answer: flagsAnswer,
  handle: ({ service, ...limits }) => {
    const { timeoutMs, limitSamples, lookbackMs } = service.limits
    const flags = {
      'enable-feature': FEATURES.join(),
      'query.lookback-delta': printDurationMs(lookbackMs),
      'query.max-concurrency': String(limits.context.limits.runningQueries),
      'query.max-samples': String(limitSamples),
      'query.timeout': printDurationMs(timeoutMs),
      'web.enable-remote-write-receiver': String(limits.context.ingest !== undefined),
    }
    return dataResponse(flags, limits)
  },
})

const runtimeInfoRoutes = defineReadRoutes({
  ...shared,
  name: 'prometheusRuntimeInfo',
  path: '/api/v1/status/runtimeinfo',
  summary: 'Return start time and runtime information',
  answer: runtimeInfoAnswer,
  handle: (limits) => {
    const nowMs = limits.context.clock.nowMs()
    const startTime = new Date(nowMs - performance.now()).toISOString()
    const info = {
      startTime,
      // Left empty, because details of the machine are for operators only.
      CWD: '',
      hostname: '',
      serverTime: new Date(nowMs).toISOString(),
      reloadConfigSuccess: true,
      lastConfigTime: startTime,
      corruptionCount: 0,
      goroutineCount: 0,
      GOMAXPROCS: 0,
      GOMEMLIMIT: 0,
      GOGC: '',
      GODEBUG: '',
      storageRetention: '',
    }
    return dataResponse(info, limits)
  },
})

/** Requests are answered only after stored data is loaded, so the reported replay is always complete. */
const walReplayRoutes = defineReadRoutes({
  ...shared,
  name: 'prometheusWalReplay',
  path: '/api/v1/status/walreplay',
  summary: 'Return the progress of the replay at the start; always done',
  answer: walReplayAnswer,
  handle: (limits) => dataResponse({ min: 0, max: 0, current: 0, state: 'done' }, limits),
})

const blockRoutes = defineReadRoutes({
  ...shared,
  name: 'prometheusBlocks',
  path: '/api/v1/status/tsdb/blocks',
  summary: 'List blocks of Prometheus; always empty',
  answer: blocksAnswer,
  handle: (limits) => dataResponse({ blocks: [] }, limits),
})

/**
 * The list is empty: its names would be features of Prometheus releases. `status/flags` reports the features that are
 * enabled here.
 */
const featureRoutes = defineReadRoutes({
  ...shared,
  name: 'prometheusFeatures',
  path: '/api/v1/features',
  summary: 'List features of a release of Prometheus; always empty',
  answer: featuresAnswer,
  handle: (limits) => dataResponse({}, limits),
})

export const prometheusStatusRoutes = [
  ...configRoutes,
  ...flagRoutes,
  ...runtimeInfoRoutes,
  ...walReplayRoutes,
  ...blockRoutes,
  ...featureRoutes,
]
