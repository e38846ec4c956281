import { z } from 'zod'
import { invariant, parseDurationNs } from '../../../base/index.ts'
import {
  searchTraces,
  serviceOf,
  shownFields,
  shownId,
  type FoundTrace,
  type SpanSet,
} from '../../../engine/traceql/index.ts'
import type { SpanExpr, TraceQuery } from '../../../lang/traceql/index.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import { listed } from '../../http/respond.ts'
import type { AnyRoute } from '../definition/route.ts'
import { defineTempoRoutes, refuse, type TempoCall } from './define-tempo-routes.ts'
import { oldSearch } from './old-search.ts'
import { secondsRange, wholeParameter } from './parameters.ts'
import { answered } from '../loki/query.ts'
import { parsedQuery, spanAccess } from './spans.ts'
import { attributeList, typedValue } from './values.ts'

/** Default number of traces, as in Tempo. */
const DEFAULT_LIMIT = 20
/** Default and maximum number of spans listed for each span set. */
const DEFAULT_SPANS = 3
const MAX_SPANS = 100

/** Placeholder for the service of a trace without a root span. */
const NO_ROOT = '<root span not yet received>'

const nanoseconds = z.string().regex(/^-?\d+$/)

const spanSet = z.strictObject({
  spans: z.array(
    z.strictObject({
      spanID: z.string(),
      name: z.string().optional(),
      startTimeUnixNano: nanoseconds,
      durationNanos: nanoseconds.optional(),
      attributes: attributeList.optional(),
    }),
  ),
  matched: z.int().min(1),
  attributes: attributeList.optional(),
})

const foundTrace = z.strictObject({
  traceID: z.string(),
  rootServiceName: z.string(),
  rootTraceName: z.string().optional(),
  startTimeUnixNano: nanoseconds,
  durationMs: z.int().optional(),
  spanSet: spanSet.optional(),
  spanSets: z.array(spanSet).optional(),
  serviceStats: z.record(z.string(), z.strictObject({ spanCount: z.int(), errorCount: z.int().optional() })).optional(),
})

const searchAnswer = z
  .strictObject({ traces: z.array(foundTrace), metrics: z.strictObject({}) })
  .meta({ id: 'TempoSearch', description: 'Traces in the form of Tempo.' })

type Shown = ReturnType<typeof shownFields>

/** Returns a member for a value; none for empty strings and zeros, as in protobuf's JSON mapping. */
function optional<K extends string, V extends string | number>(name: K, value: V): Partial<Record<K, V>> {
  return value === '' || value === 0 ? {} : ({ [name]: value } as Partial<Record<K, V>>)
}

function attributesOf(fields: readonly { name: string; value: Parameters<typeof typedValue>[0] }[]): object {
  return fields.length === 0
    ? {}
    : { attributes: fields.map(({ name, value }) => ({ key: name, value: typedValue(value) })) }
}

function setJson({ spans, attributes }: SpanSet, shown: Shown, limit: number): object {
  const listed = spans.slice(0, limit).map((span) => {
    const { name, fields } = shown(span)
    return {
      spanID: span.sent.spanId,
      ...optional('name', name ?? ''),
      startTimeUnixNano: String(span.sent.startNs),
      ...(span.sent.durationNs === 0n ? {} : { durationNanos: String(span.sent.durationNs) }),
      ...attributesOf(fields),
    }
  })
  return { spans: listed, matched: spans.length, ...attributesOf(attributes) }
}

function serviceStats({ trace }: FoundTrace): object {
  const stats = new Map<string, { spanCount: number; errorCount: number }>()
  for (const { sent } of trace.spans) {
    const name = serviceOf(sent)
    const counts = stats.get(name) ?? { spanCount: 0, errorCount: 0 }
    counts.spanCount++
    if (sent.status === 'error') counts.errorCount++
    stats.set(name, counts)
  }
  return Object.fromEntries(
    [...stats].map(([name, { spanCount, errorCount }]) => [name, { spanCount, ...optional('errorCount', errorCount) }]),
  )
}

function traceJson(found: FoundTrace, shown: Shown | undefined, limit: number): string {
  const { trace, sets } = found
  const { root } = trace
  const spanSets = shown === undefined ? [] : sets.map((set) => setJson(set, shown, limit))
  return JSON.stringify({
    traceID: shownId(trace.id),
    rootServiceName: (root === undefined ? '' : serviceOf(root)) || NO_ROOT,
    ...optional('rootTraceName', root?.name ?? ''),
    startTimeUnixNano: String(trace.startNs),
    ...optional('durationMs', Number(trace.durationNs / 1_000_000n)),
    ...(spanSets.length === 0 ? {} : { spanSet: spanSets[0], spanSets }),
    ...(shown === undefined ? {} : { serviceStats: serviceStats(found) }),
  })
}

/** The span expression of a search, and whether the answer lists its spans. */
interface AskedSpans {
  readonly spans: SpanExpr
  readonly isListed: boolean
}

function searchedSpans(query: TraceQuery, text: string): AskedSpans {
  return { spans: query.spans, isListed: text.trim() !== '' }
}

function askedSpans(call: TempoCall): AskedSpans {
  const { parameters } = call
  const text = parameters.get('q')
  const old = oldSearch({
    tags: parameters.get('tags'),
    min: durationParameter(call, 'minDuration'),
    max: durationParameter(call, 'maxDuration'),
  })
  if (text === undefined)
    return { spans: old ?? { kind: 'filter', condition: undefined, span: { start: 0, end: 0 } }, isListed: false }
  if (old !== undefined) return refuse("invalid request: can't specify tags and q in the same query")
  const query = parsedQuery(call, text)
  invariant(query.kind === 'trace-query', 'the parser gives what is asked for')
  return searchedSpans(query, text)
}

function durationParameter({ parameters }: TempoCall, name: string): bigint | undefined {
  const text = parameters.get(name)
  if (text === undefined) return undefined
  return parseDurationNs(text) ?? refuse(`invalid ${name}: time: invalid duration ${JSON.stringify(text)}`)
}

async function search(call: TempoCall): Promise<HttpAnswer> {
  const { parameters, context } = call
  const limit = wholeParameter(parameters, 'limit') ?? DEFAULT_LIMIT
  const spanLimit = wholeParameter(parameters, 'spss') ?? DEFAULT_SPANS
  if (spanLimit > MAX_SPANS) refuse(`spans per span set exceeds ${MAX_SPANS}. received ${spanLimit}`)
  const range = secondsRange(parameters, context.nowNs())
  const { spans, isListed } = askedSpans(call)
  const found = await searchTraces(spanAccess(call), { spans, range, limit: limit === 0 ? DEFAULT_LIMIT : limit })
  const shown = isListed ? shownFields(spans) : undefined
  return answered(
    call,
    (function* () {
      yield '{"traces":['
      yield* listed(found, (each) => traceJson(each, shown, spanLimit || DEFAULT_SPANS))
      yield '],"metrics":{}}'
    })(),
  )
}

export const tempoSearchRoutes: readonly AnyRoute[] = defineTempoRoutes({
  name: 'tempoSearch',
  path: '/api/search',
  summary: 'Search traces by TraceQL, as Tempo does',
  parameters: {
    q: 'Query in TraceQL. Without one every trace is found, or those of the older parameters below.',
    start: 'Start of the range in whole seconds since 1970. Default: an hour ago.',
    end: 'End of the range in whole seconds, included.',
    limit: 'Traces of the answer. Default: 20.',
    spss: 'Spans listed of each span set, at most 100. Default: 3.',
    tags: 'Attributes that a span must have, as logfmt.',
    minDuration: 'Shortest trace.',
    maxDuration: 'Longest trace.',
  },
  answers: [{ description: 'Traces, with the latest start first.', schema: searchAnswer }],
  hasForm: true,
  handle: search,
})
