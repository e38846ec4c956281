import { z } from 'zod'
import { SECOND_NS, always, type Interval } from '../../../base/index.ts'
import { firstField, otlpTrace, protobufJson, traceBytes, type StoredSpan } from '../../../ingest/otlp/stored/index.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import { JSON_TYPE, empty, jsonChunks } from '../../http/respond.ts'
import { spansFor, spansWhere } from '../../search/spans.ts'
import { tracesById } from '../../search/trace-ids.ts'
import { acceptedTypes } from '../../search/stream.ts'
import type { AnyRoute } from '../definition/route.ts'
import { defineTempoRoutes, refuse, type TempoCall } from './define-tempo-routes.ts'

const PROTOBUF_TYPE = 'application/protobuf'
const MAX_ID_DIGITS = 32

function traceIdOf({ path }: TempoCall): string {
  const id = path.get('trace') ?? ''
  const at = id.search(/[^0-9a-f]/i)
  if (at !== -1)
    refuse(`trace IDs can only contain hex characters: invalid character '${id.charAt(at)}' at position ${at + 1}`)
  return id.length <= MAX_ID_DIGITS ? id : refuse("trace IDs can't be larger than 128 bits")
}

/** Parses a time in whole seconds; `undefined` if missing or 0. */
function secondsOf({ parameters }: TempoCall, name: string): bigint | undefined {
  const text = parameters.get(name)
  if (text === undefined) return undefined
  if (!/^\d{1,10}$/.test(text))
    refuse(`invalid ${name}: strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  return Number(text) === 0 ? undefined : BigInt(text)
}

/** Returns the range in which spans of the trace may start: whole seconds, end inclusive. */
function rangeOf(call: TempoCall): Interval {
  const [start, end] = [secondsOf(call, 'start'), secondsOf(call, 'end')]
  return {
    startNs: start === undefined ? always.startNs : start * SECOND_NS,
    endNs: end === undefined ? always.endNs : (end + 1n) * SECOND_NS,
  }
}

function spansOf(call: TempoCall): Promise<readonly StoredSpan[]> {
  const plan = spansWhere(tracesById([traceIdOf(call)]))
  return spansFor(call).collect(plan, rangeOf(call))
}

function* jsonOf(spans: readonly StoredSpan[], start: string, end: string): Generator<string> {
  yield start
  let separator = ''
  for (const part of otlpTrace(spans, protobufJson)) {
    yield `${separator}${JSON.stringify(part)}`
    separator = ','
  }
  yield end
}

/** Yields a protobuf message whose field 1 is the trace, as Grafana requests. */
function* wrapped(spans: readonly StoredSpan[]): Generator<Uint8Array> {
  if (spans.length === 0) yield firstField(new Uint8Array(0))
  for (const chunk of traceBytes(spans)) yield firstField(chunk)
}

async function answered(
  call: TempoCall,
  encodings: { readonly protobuf: () => Iterable<Uint8Array>; readonly json: () => Iterable<string> },
): Promise<HttpAnswer> {
  const { headers, memory, context } = call
  const isProtobuf = acceptedTypes(headers.get('accept')).includes(PROTOBUF_TYPE)
  const chunks = isProtobuf ? encodings.protobuf() : encodings.json()
  const answer = await jsonChunks(chunks, { limitBytes: context.limits.answerBytes, memory })
  return { ...answer, headers: { 'Content-Type': isProtobuf ? PROTOBUF_TYPE : JSON_TYPE } }
}

const resourceSpans = z
  .array(z.object({ resource: z.unknown(), scopeSpans: z.array(z.unknown()) }))
  .meta({ id: 'ResourceSpans', description: 'Spans by resource and scope, as in OTLP; ids are in base64.' })

const bytesAnswer = {
  description: 'With `Accept: application/protobuf`: the same message.',
  contentType: PROTOBUF_TYPE,
}

const RANGE = {
  start: 'Only spans that start from it on, in Unix seconds. Default: all.',
  end: 'Only spans that start until then, in Unix seconds.',
}

const traceRoutes = defineTempoRoutes({
  name: 'tempoTrace',
  path: '/api/v2/traces/{trace}',
  summary: 'Read a trace by its id, as Tempo does',
  parameters: RANGE,
  answers: [
    {
      description: 'The trace; an empty object if there is none.',
      schema: z
        .object({ trace: z.object({ resourceSpans: resourceSpans.optional() }) })
        .meta({ id: 'TempoTrace', description: 'A trace.' }),
    },
    { ...bytesAnswer, schema: z.string() },
  ],
  handle: async (call) => {
    const spans = await spansOf(call)
    const [start, end] = spans.length === 0 ? ['{"trace":{', '}}'] : ['{"trace":{"resourceSpans":[', ']}}']
    return answered(call, { protobuf: () => wrapped(spans), json: () => jsonOf(spans, start, end) })
  },
})

const oldTraceRoutes = defineTempoRoutes({
  name: 'tempoTraceBatches',
  path: '/api/traces/{trace}',
  summary: 'Read a trace by its id, as Tempo did before its second version',
  parameters: RANGE,
  answers: [
    {
      description: 'The trace.',
      schema: z.object({ batches: resourceSpans }).meta({ id: 'TempoBatches', description: 'A trace.' }),
    },
    { ...bytesAnswer, schema: z.string() },
    { status: 404, description: 'There is no such trace; the body is empty.' },
  ],
  handle: async (call) => {
    const spans = await spansOf(call)
    if (spans.length === 0) return empty(404)
    return answered(call, { protobuf: () => traceBytes(spans), json: () => jsonOf(spans, '{"batches":[', ']}') })
  },
})

/** Routes that return traces by their ids. */
export const tempoTraceRoutes: readonly AnyRoute[] = [...traceRoutes, ...oldTraceRoutes]
