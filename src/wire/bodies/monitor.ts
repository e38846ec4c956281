import { z } from 'zod'
import { condition } from '../condition.ts'
import { metricPipeline } from '../metric-pipeline.ts'
import { pipeline } from '../pipeline.ts'
import { integer, mapOf, name, text, textOrInteger, word } from '../schema.ts'

const relativeTimerange = z
  .looseObject({ from: text().optional(), to: text().optional() })
  .meta({ id: 'RelativeTimerange', description: 'A window before now, for example from `-5m` to `now`.' })

/** One query of a monitor: text, PromQL, a metric pipeline or a structured query. */
export const monitorQuery = z
  .looseObject({
    name: text().optional(),
    queryType: word(['instant', 'range']).optional(),
    dataType: text().optional(),
    datasourceID: text().optional(),
    datasourceType: text().optional(),
    expression: text().optional(),
    filters: text().optional(),
    instantRollup: text().optional(),
    conditions: z.array(condition).optional(),
    pipeline: metricPipeline.optional(),
    relativeTimerange: relativeTimerange.optional(),
    rollup: z.looseObject({ function: text().optional(), time: textOrInteger().optional() }).optional(),
    evaluationDelay: integer(0).optional(),
    sqlPipeline: pipeline.optional(),
  })
  .meta({ id: 'MonitorQuery', description: 'One query of a monitor.' })

/** Types of reducers. Clients send the first seven; the others are Grafana's. */
export const reducerTypes = [
  'last',
  'min',
  'max',
  'mean',
  'sum',
  'count',
  'math',
  'avg',
  'first',
  'median',
  'count_non_null',
  'diff',
  'diff_abs',
  'percent_diff',
  'percent_diff_abs',
] as const

/** Reduces the series of a query, or other inputs (`math`), to one number. */
export const monitorReducer = z
  .looseObject({
    name: name(),
    type: word(reducerTypes),
    inputName: text().optional(),
    expression: text().optional(),
    relativeTimerange: relativeTimerange.optional(),
  })
  .meta({ id: 'MonitorReducer', description: 'What makes one number of a series.' })

export const thresholdOperators = [
  'gt',
  'gte',
  'lt',
  'lte',
  'eq',
  'neq',
  'within_range',
  'outside_range',
  'within_range_included',
  'outside_range_included',
] as const

export type ThresholdOperator = (typeof thresholdOperators)[number]

/** Other spellings of threshold operators that are accepted. */
const thresholdSynonyms = {
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
  '==': 'eq',
  '!=': 'neq',
  ne: 'neq',
} as const satisfies Readonly<Record<string, ThresholdOperator>>

/** Returns the operator that a word means; `undefined` if it means none. Blanks around it do not matter. */
export function thresholdOperator(text: string): ThresholdOperator | undefined {
  const name = text.trim()
  if (Object.hasOwn(thresholdSynonyms, name)) return thresholdSynonyms[name as keyof typeof thresholdSynonyms]
  return thresholdOperators.find((operator) => operator === name)
}

export const monitorThreshold = z
  .looseObject({
    name: name(),
    inputName: name(),
    operator: word([...thresholdOperators, '>', '>=', '<', '<=', '==', '!=', 'ne']),
    values: z.array(z.number()).min(1).max(2),
    customResolveThreshold: z
      .looseObject({
        operator: word(['gt', 'lt', 'within_range', 'outside_range']),
        values: z.array(z.number()).min(1).max(2),
      })
      .optional(),
    relativeTimerange: relativeTimerange.optional(),
  })
  .meta({ id: 'MonitorThreshold', description: 'When an input fires: one value, or two for the range operators.' })

export const monitorModel = z
  .looseObject({
    queries: z.array(monitorQuery).optional(),
    reducers: z.array(monitorReducer).optional(),
    thresholds: z.array(monitorThreshold).optional(),
  })
  .meta({ id: 'MonitorModel', description: 'Queries, what is made of them, and when it fires.' })

/**
 * Body of monitor create and update. Nothing is required; unknown members are kept, because a definition must
 * round-trip.
 */
export const monitor = z
  .looseObject({
    title: text().optional(),
    severity: text().optional(),
    team: text().optional(),
    category: text().optional(),
    isPaused: z.boolean().optional(),
    autoResolve: z.boolean().optional(),
    routing: z.array(text()).optional(),
    labels: mapOf(text()).optional(),
    annotations: mapOf(text()).optional(),
    measurementType: word(['state', 'event']).optional(),
    noDataState: word(['OK', 'NoData', 'Alerting', 'KeepLast']).optional(),
    executionErrorState: word(['OK', 'Error', 'Alerting', 'KeepLast']).optional(),
    catalog: z
      .looseObject({
        category: text().optional(),
        id: text().optional(),
        tags: z.array(text()).optional(),
        version: integer(0).optional(),
      })
      .optional(),
    display: z
      .looseObject({
        contextHeaderLabels: z.array(text()).optional(),
        description: text().optional(),
        header: text().optional(),
        resourceHeaderLabels: z.array(text()).optional(),
        templateLanguage: text().optional(),
      })
      .optional(),
    evaluationInterval: z.looseObject({ interval: text().optional(), pendingFor: text().optional() }).optional(),
    model: monitorModel.optional(),
  })
  .meta({ id: 'Monitor', description: 'An alert monitor.' })

export const monitorCreated = z
  .object({ monitorId: z.string() })
  .meta({ id: 'MonitorCreated', description: 'The id of a new monitor.' })

export type MonitorQuery = z.output<typeof monitorQuery>
export type MonitorReducer = z.output<typeof monitorReducer>
export type MonitorThreshold = z.output<typeof monitorThreshold>
export type MonitorModel = z.output<typeof monitorModel>
export type Monitor = z.output<typeof monitor>
