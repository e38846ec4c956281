import { z } from 'zod'
import { always, clampNs } from '../../../base/index.ts'
import type { AnyRoute } from '../definition/route.ts'
import { answerEnvelope, defineJaegerRoute, enveloped, refuse } from './define-jaeger-routes.ts'
import { milliseconds, searchParameters, traceId } from './parameters.ts'
import { searchTraces, tracesOf } from './search.ts'
import { traceTexts } from './trace-json.ts'

const tag = z.object({
  key: z.string(),
  type: z.enum(['string', 'bool', 'int64', 'float64', 'binary']),
  value: z.union([z.string(), z.boolean(), z.number()]),
})

const span = z.object({
  traceID: z.string(),
  spanID: z.string(),
  operationName: z.string(),
  references: z.array(
    z.object({ refType: z.enum(['CHILD_OF', 'FOLLOWS_FROM']), traceID: z.string(), spanID: z.string() }),
  ),
  startTime: z.number(),
  duration: z.number(),
  tags: z.array(tag),
  logs: z.array(z.object({ timestamp: z.number(), fields: z.array(tag) })),
  processID: z.string(),
  flags: z.literal(1),
  warnings: z.null(),
})

const traces = enveloped(
  z.object({
    traceID: z.string(),
    spans: z.array(span),
    processes: z.record(z.string(), z.object({ serviceName: z.string(), tags: z.array(tag) })),
    warnings: z.null(),
  }),
).meta({ id: 'JaegerTraces', description: 'Traces; times are microseconds.' })

const searchRoute = defineJaegerRoute({
  name: 'jaegerTraces',
  path: '/api/traces',
  summary: 'Search traces, as Jaeger does',
  parameters: {
    traceID: 'Id of a trace; may repeat. The other parameters are then not read.',
    service: 'Traces with a span of this service; required without `traceID`.',
    operation: 'The name of that span.',
    tags: 'Its tags, those of its process or of one of its logs: a JSON object of texts.',
    tag: 'A tag as `key:value`; may repeat.',
    minDuration: 'Its least duration, such as `1.2s`, `100ms` or `500us`.',
    maxDuration: 'Its greatest duration.',
    start: 'The span starts from it on: microseconds since 1970. Default: `lookback` before `end`.',
    end: 'The span starts until then. Default: now.',
    lookback: 'Length of the range without `start`, such as `1h`. Default: two days.',
    limit: 'At most so many traces, the newest; 20 when it is not given.',
  },
  description: 'Whole traces, the newest first.',
  answer: traces,
  handle: async (call) => {
    const { parameters, context } = call
    const ids = parameters.all('traceID').filter((id) => id !== '')
    const found =
      ids.length > 0
        ? await tracesOf(call, ids.map(traceId))
        : await searchTraces(call, searchParameters(parameters, context.nowNs()))
    return answerEnvelope(call, found, traceTexts)
  },
})

const traceRoute = defineJaegerRoute({
  name: 'jaegerTrace',
  path: '/api/traces/{trace}',
  summary: 'Read a trace by its id, as Jaeger does',
  parameters: {
    start: 'Only spans that start from it on: milliseconds since 1970. Default: all.',
    end: 'Only spans that start until then.',
  },
  description: 'The trace.',
  mayBeUnknown: true,
  answer: traces,
  handle: async (call) => {
    const { parameters, path } = call
    const range = {
      startNs: milliseconds(parameters, 'start') ?? always.startNs,
      endNs: clampNs((milliseconds(parameters, 'end') ?? always.endNs) + 1_000_000n),
    }
    const found = await tracesOf(call, [traceId(path.get('trace') ?? '')], range)
    return found.length === 0 ? refuse('trace not found', 404) : answerEnvelope(call, found, traceTexts)
  },
})

/** Routes for traces in Jaeger's query API. */
export const jaegerTraceRoutes: readonly AnyRoute[] = [searchRoute, traceRoute]
