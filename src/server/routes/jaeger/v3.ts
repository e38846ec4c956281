import { z } from 'zod'
import { otlpJson, otlpTrace, type StoredSpan } from '../../../ingest/otlp/stored/index.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import type { AnyRoute } from '../definition/route.ts'
import { answerList, defineJaegerV3Route, refuse, type JaegerCall } from './define-jaeger-routes.ts'
import { searchV3Parameters, traceId } from './parameters.ts'
import { searchTraces, tracesOf } from './search.ts'

const resourceSpans = z
  .object({
    result: z.object({ resourceSpans: z.array(z.object({ resource: z.unknown(), scopeSpans: z.unknown() })) }),
  })
  .meta({ id: 'JaegerV3Traces', description: 'Spans by resource and scope, in OTLP/JSON.' })

function answerTraces(call: JaegerCall, traces: readonly (readonly StoredSpan[])[]): Promise<HttpAnswer> {
  return answerList(call, ['{"result":{"resourceSpans":[', ']}}'], otlpTrace(traces.flat(), otlpJson))
}

const searchRoute = defineJaegerV3Route({
  name: 'jaegerV3Traces',
  path: '/api/v3/traces',
  summary: 'Search traces, as version 3 of Jaeger does',
  parameters: {
    'query.service_name': 'Traces with a span of this service.',
    'query.operation_name': 'The name of that span.',
    'query.attributes': 'Its attributes, those of its resource or of one of its events: a JSON object of texts.',
    'query.duration_min': 'Its least duration, such as `1.2s`.',
    'query.duration_max': 'Its greatest duration.',
    'query.start_time_min': 'The span starts from it on: RFC 3339. Default: two days before the latest start.',
    'query.start_time_max': 'The span starts until then. Default: now.',
    'query.search_depth': 'At most so many traces, the newest; 20 when it is not given. Also `query.num_traces`.',
  },
  description: 'Whole traces.',
  answer: resourceSpans,
  handle: async (call) =>
    answerTraces(call, await searchTraces(call, searchV3Parameters(call.parameters, call.context.nowNs()))),
})

const traceRoute = defineJaegerV3Route({
  name: 'jaegerV3Trace',
  path: '/api/v3/traces/{trace}',
  summary: 'Read a trace by its id, as version 3 of Jaeger does',
  parameters: {},
  description: 'The trace.',
  mayBeUnknown: true,
  answer: resourceSpans,
  handle: async (call) => {
    const found = await tracesOf(call, [traceId(call.path.get('trace') ?? '')])
    return found.length === 0 ? refuse('No traces found', 404) : answerTraces(call, found)
  },
})

/** Routes for traces in version 3 of Jaeger's query API. */
export const jaegerV3Routes: readonly AnyRoute[] = [searchRoute, traceRoute]
