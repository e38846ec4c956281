import { z } from 'zod'
import {
  runTraceMetrics,
  type SampleTimes,
  type TraceMetrics,
  type TraceSeries,
} from '../../../engine/traceql/index.ts'
import { parseTraceqlOrThrow } from '../../../lang/traceql/index.ts'
import { invariant } from '../../../base/index.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import type { AnyRoute } from '../definition/route.ts'
import { listed } from '../../http/respond.ts'
import { answered } from '../loki/query.ts'
import { defineTempoRoutes, type TempoCall } from './define-tempo-routes.ts'
import { metricsRange, stepParameter, wholeParameter } from './parameters.ts'
import { spanAccess } from './spans.ts'
import { attributeList, typedValue } from './values.ts'

/** Schema of a value. A value of 0 is left out; NaN and infinities are strings. */
const value = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]).optional()

const rangeAnswer = z
  .strictObject({
    series: z.array(
      z.strictObject({
        labels: attributeList,
        samples: z.array(z.strictObject({ timestampMs: z.string().regex(/^-?\d+$/), value })),
      }),
    ),
    metrics: z.strictObject({}),
  })
  .meta({ id: 'TempoRangeMetrics', description: 'Series with samples.' })

const instantAnswer = z
  .strictObject({
    series: z.array(z.strictObject({ labels: attributeList, value })).optional(),
    metrics: z.strictObject({}),
  })
  .meta({ id: 'TempoInstantMetrics', description: 'Series with one value each.' })

function labelsJson({ labels }: TraceSeries): object {
  return { labels: labels.map(({ name, value }) => ({ key: name, value: typedValue(value) })) }
}

/** Returns the member for a value; none for 0, as in protobuf's JSON mapping. */
function valueJson(value: number): object {
  if (value === 0) return {}
  return { value: Number.isFinite(value) ? value : String(value) }
}

function instantJson(series: TraceSeries): string {
  return JSON.stringify({ ...labelsJson(series), ...valueJson(series.values[0] ?? NaN) })
}

function rangeJson(series: TraceSeries, { startNs, stepNs = 0n }: SampleTimes): string {
  const samples = Array.from(series.values, (value, i) => ({
    timestampMs: String((startNs + BigInt(i) * stepNs) / 1_000_000n),
    value,
  })).filter(({ value }) => !Number.isNaN(value))
  return JSON.stringify({
    ...labelsJson(series),
    samples: samples.map(({ timestampMs, value }) => ({ timestampMs, ...valueJson(value) })),
  })
}

async function metricsOf(call: TempoCall, times: SampleTimes): Promise<TraceMetrics> {
  const { parameters, caller } = call
  const text = parameters.get('q') ?? parameters.get('query') ?? ''
  caller.readsText('q', text)
  const query = parseTraceqlOrThrow(text, { gives: 'metrics' })
  invariant(query.kind === 'metrics-query', 'the parser gives what is asked for')
  return runTraceMetrics(spanAccess(call), query.metric, times)
}

function seriesAnswer(
  call: TempoCall,
  { series, times }: TraceMetrics,
  jsonOf: (series: TraceSeries) => string,
): Promise<HttpAnswer> {
  const limit = wholeParameter(call.parameters, 'maxSeries') ?? 0
  const shown = limit === 0 ? series : series.slice(0, limit)
  return answered(
    call,
    (function* () {
      // As in Tempo, an instant answer without series has no list.
      if (times.stepNs === undefined && shown.length === 0) return yield '{"metrics":{}}'
      yield '{"series":['
      yield* listed(shown, jsonOf)
      yield '],"metrics":{}}'
    })(),
  )
}

const shared = {
  q: 'Query in TraceQL that ends with a metrics function; `query` is another name.',
  start: 'Start of the range: seconds or nanoseconds since 1970, or RFC 3339. Default: an hour before the end.',
  end: 'End of the range, included. Default: now.',
  since: 'Length of the range without a start.',
  maxSeries: 'Series of the answer, at most.',
}

export const tempoMetricsRoutes: readonly AnyRoute[] = [
  ...defineTempoRoutes(
    {
      name: 'tempoMetricsRange',
      path: '/api/metrics/query_range',
      summary: 'Compute series from spans at each step of a range, as Tempo does',
      parameters: { ...shared, step: 'Duration, or seconds. Default: a 240th of the range.' },
      answers: [{ description: 'Series with a sample for each step.', schema: rangeAnswer }],
      handle: async (call) => {
        const range = metricsRange(call.parameters, call.context.nowNs())
        const stepNs = stepParameter(call.parameters, range)
        const metrics = await metricsOf(call, { ...range, stepNs })
        return seriesAnswer(call, metrics, (series) => rangeJson(series, metrics.times))
      },
    },
    'range',
  ),
  ...defineTempoRoutes(
    {
      name: 'tempoMetrics',
      path: '/api/metrics/query',
      summary: 'Compute values from the spans of a range, as Tempo does',
      parameters: shared,
      answers: [{ description: 'Series with one value each.', schema: instantAnswer }],
      handle: async (call) => {
        const range = metricsRange(call.parameters, call.context.nowNs())
        const metrics = await metricsOf(call, { ...range, stepNs: undefined })
        return seriesAnswer(call, metrics, instantJson)
      },
    },
    'instant',
  ),
]
