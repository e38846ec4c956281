import { z } from 'zod'
import { rowBytes, type Row } from '../../../data/index.ts'
import { entriesPlan, runLogqlMetric } from '../../../engine/logql/index.ts'
import { lowerMetric, type LogQuery, type MetricExpr } from '../../../lang/logql/index.ts'
import { floatText } from '../../../engine/metrics/index.ts'
import type { SeriesTimes } from '../../../backends/columnar/series/index.ts'
import type { SeriesAnswer } from '../../../backends/columnar/series/index.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import { jsonChunks, listed } from '../../http/respond.ts'
import type { AnyRoute } from '../definition/route.ts'
import { defineLokiRoutes, refuse, type LokiCall } from './define-loki-routes.ts'
import {
  MAX_ENTRIES,
  RANGE,
  checkSteps,
  directionParameter,
  durationMs,
  limitParameter,
  queryParameter,
  rangeParameters,
  stepParameter,
  timeParameter,
} from './parameters.ts'
import { budgetOf, eachRow } from '../../search/collect.ts'
import { CATEGORIZE, isCategorized, lokiTable, parsedQuery, rowsFor } from './source.ts'
import { LokiStreams, thinned, type LokiStream } from './streams.ts'

const queryAnswer = z
  .object({
    status: z.literal('success'),
    data: z.object({ resultType: z.enum(['streams', 'matrix', 'vector', 'scalar']), result: z.array(z.unknown()) }),
  })
  .meta({ id: 'LokiAnswer', description: 'An answer in the form of Loki.' })

/** Returns a JSON answer. The answer is complete before its first byte is sent. */
export function answered(
  { memory, context }: Pick<LokiCall, 'memory' | 'context'>,
  chunks: Iterable<string>,
): Promise<HttpAnswer> {
  return jsonChunks(chunks, { memory, limitBytes: context.limits.answerBytes })
}

/** Returns the streams with the entries that a query finds, in the order that the request asks for. */
export async function streamsOf(call: LokiCall, query: LogQuery, isDivided: boolean): Promise<readonly LokiStream[]> {
  const { parameters, context } = call
  const limit = limitParameter(parameters)
  if (limit > MAX_ENTRIES)
    refuse(`max entries limit per query exceeded, limit > max_entries_limit_per_query (${limit} > ${MAX_ENTRIES})`)
  const direction = directionParameter(parameters)
  const range = rangeParameters(parameters, context.nowNs())
  const intervalMs = durationMs(parameters, 'interval') ?? 0
  const table = lokiTable(call)
  const streams = new LokiStreams(table.timeField, isDivided)
  const rows: Row[] = []
  const budget = budgetOf(call)
  await eachRow(rowsFor(call).read(entriesPlan(query, table, direction, limit), range), (row) => {
    budget.charge(rowBytes(row))
    rows.push(row)
  })
  streams.addAll(rows, direction)
  return streams.list().map((stream) => thinned(stream, BigInt(Math.round(intervalMs)) * 1_000_000n))
}

async function answerEntries(call: LokiCall, query: LogQuery): Promise<HttpAnswer> {
  const isDivided = isCategorized(call)
  const flags = isDivided ? `"encodingFlags":["${CATEGORIZE}"],` : ''
  const found = await streamsOf(call, query, isDivided)
  return answered(
    call,
    (function* () {
      yield `{"status":"success","data":{"resultType":"streams",${flags}"result":[`
      yield* listed(found, (stream) => JSON.stringify(stream))
      yield '],"stats":{}}}'
    })(),
  )
}

/** Formats Unix seconds with the digits of the milliseconds. */
function seconds(ms: number): string {
  return String(ms / 1000)
}

function valueText(value: number): string {
  return `"${floatText(value)}"`
}

function* resultOf(answer: SeriesAnswer): Generator<string> {
  switch (answer.type) {
    case 'scalar':
      // Loki uses ms for the time of a scalar, and its clients expect that.
      yield `[${answer.timeMs},${valueText(answer.value)}]`
      return
    case 'vector':
      yield '['
      yield* listed(answer.samples, ({ labels, value }) => {
        const metric = JSON.stringify(labels.toRecord())
        return `{"metric":${metric},"value":[${seconds(answer.timeMs)},${valueText(value)}]}`
      })
      yield ']'
      return
    case 'matrix':
      yield '['
      yield* listed(answer.series, ({ labels, timesMs, values }) => {
        const points = Array.from(timesMs, (timeMs, i) => `[${seconds(timeMs)},${valueText(values[i] ?? NaN)}]`)
        return `{"metric":${JSON.stringify(labels.toRecord())},"values":[${points.join(',')}]}`
      })
      yield ']'
      return
    case 'string':
      yield '[]'
  }
}

/** Evaluates a metric query at one time or at each step. */
export async function metricAnswer(call: LokiCall, query: MetricExpr, times: SeriesTimes): Promise<SeriesAnswer> {
  const plan = lowerMetric(query, lokiTable(call))
  const { answer } = await runLogqlMetric(plan, times, { logs: rowsFor(call), budget: budgetOf(call) })
  return answer
}

async function answerMetric(call: LokiCall, query: MetricExpr, times: SeriesTimes): Promise<HttpAnswer> {
  const answer = await metricAnswer(call, query, times)
  return answered(
    call,
    (function* () {
      yield `{"status":"success","data":{"resultType":"${answer.type}","result":`
      yield* resultOf(answer)
      yield ',"stats":{}}}'
    })(),
  )
}

const toMs = (ns: bigint): number => Number(ns / 1_000_000n)

const rangeRoutes = defineLokiRoutes({
  name: 'lokiQueryRange',
  path: '/loki/api/v1/query_range',
  summary: 'Search logs, or count them over time, in LogQL',
  parameters: {
    query: 'The query, in LogQL.',
    ...RANGE,
    step: 'Distance of the points of a metric query: a duration, or seconds.',
    interval: 'At most one entry of a stream in this length of time.',
    limit: 'At most so many entries; 100 when it is not given.',
    direction: '`backward`: the newest entries first, which is the default; `forward`: the oldest.',
  },
  answer: { description: 'Entries by stream, or a series for each set of labels.', schema: queryAnswer },
  handle: async (call) => {
    const { parameters, context, caller } = call
    const query = parsedQuery(call, queryParameter(parameters, caller))
    if (query.kind === 'log-query') return answerEntries(call, query)
    limitParameter(parameters)
    const range = rangeParameters(parameters, context.nowNs())
    const stepMs = stepParameter(parameters, range)
    const [startMs, endMs] = [toMs(range.startNs), toMs(range.endNs)]
    checkSteps(range, stepMs)
    return answerMetric(call, query, { startMs, endMs, stepMs })
  },
})

const instantRoutes = defineLokiRoutes({
  name: 'lokiQuery',
  path: '/loki/api/v1/query',
  summary: 'Count logs at one time, in LogQL',
  parameters: {
    query: 'A metric query, in LogQL.',
    time: 'The time: Unix time in ns or seconds, or RFC 3339. Default: now.',
    limit: 'Checked, and not needed.',
    direction: 'Checked, and not needed.',
  },
  answer: { description: 'A value for each set of labels, or a number.', schema: queryAnswer },
  handle: async (call) => {
    const { parameters, context, caller } = call
    const query = parsedQuery(call, queryParameter(parameters, caller))
    limitParameter(parameters)
    if (query.kind === 'log-query')
      return refuse(
        'log queries are not supported as an instant query type, please change your query to a range query type',
      )
    const timeMs = toMs(timeParameter(parameters, 'time', context.nowNs()))
    return answerMetric(call, query, { startMs: timeMs, endMs: timeMs, stepMs: 0 })
  },
})

export const lokiQueryRoutes: readonly AnyRoute[] = [...rangeRoutes, ...instantRoutes]
