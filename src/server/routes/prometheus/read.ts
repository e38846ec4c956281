import { z } from 'zod'
import { nowhere } from '../../../base/index.ts'
import { failSeries } from '../../../functions/series/index.ts'
import { packSnappy } from '../../../ingest/metrics/index.ts'
import type { SeriesSamples } from '../../../store/index.ts'
import { AnswerBuffer } from '../../http/answer-buffer.ts'
import { fault } from '../../errors/http-fault.ts'
import { Pace } from '../../http/pace.ts'
import { chunkFrames } from '../../metrics/remote-read/frames.ts'
import { bytesField, framed, timeSeriesMessage } from '../../metrics/remote-read/messages.ts'
import { decodeRemoteRead, remoteReadBody, type RemoteReadRequest } from '../../metrics/remote-read/request.ts'
import { shapePrometheusError } from '../../metrics/shape-error.ts'
import type { HttpAnswer } from '../../http/answer.ts'
import type { AnyRoute, RouteCall } from '../definition/route.ts'

const PROTOBUF = 'application/x-protobuf'
const CHUNKS = 'application/x-streamed-protobuf; proto=prometheus.ChunkedReadResponse'

/** Reads the visible series of each query. */
async function fetched(
  { queries }: RemoteReadRequest,
  { context, caller }: Pick<RouteCall<unknown>, 'context' | 'caller'>,
): Promise<readonly (readonly SeriesSamples[])[]> {
  const service = context.metricRead
  if (service === undefined) throw fault('not-found', { what: 'path' })
  const budget = service.budget(caller)
  const results: (readonly SeriesSamples[])[] = []
  let samples = 0
  for (const { matchers, startMs, endMs } of queries) {
    const found = await service.samples(matchers, { startMs, endMs }, caller, budget)
    budget.checkpoint()
    for (const { timesMs } of found) samples += timesMs.length
    if (samples > service.limits.limitSamples) {
      failSeries('too-many-samples', { limit: service.limits.limitSamples }, nowhere)
    }
    results.push(found)
  }
  return results
}

/** Answers with a single compressed message that contains all samples. */
async function asSamples(
  results: readonly (readonly SeriesSamples[])[],
  call: Pick<RouteCall<unknown>, 'context' | 'memory' | 'caller'>,
): Promise<HttpAnswer> {
  const { context, memory, caller } = call
  const pace = new Pace()
  const chunks: Uint8Array[] = []
  let size = 0
  const keep = (chunk: Uint8Array): number => {
    size += chunk.length
    if (size > context.limits.answerBytes) throw fault('answer-too-large', { limitBytes: context.limits.answerBytes })
    chunks.push(chunk)
    return chunk.length
  }
  for (const result of results) {
    const at = chunks.length
    let length = 0
    for (const series of result) {
      const message = timeSeriesMessage(series)
      length += keep(framed(bytesField(1), message.length)) + keep(message)
      caller.signal.throwIfAborted()
      await pace.turn()
    }
    const head = framed(bytesField(1), length)
    size += head.length
    chunks.splice(at, 0, head)
  }
  const buffer = new AnswerBuffer(memory, context.limits.answerBytes)
  try {
    buffer.add(packSnappy(Buffer.concat(chunks)))
  } catch (error) {
    buffer.drop()
    throw error
  }
  return { status: 200, headers: { 'Content-Type': PROTOBUF, 'Content-Encoding': 'snappy' }, body: buffer.whole() }
}

/** Answers with frames of about 1 MiB, each for one series. */
async function asChunks(
  results: readonly (readonly SeriesSamples[])[],
  call: Pick<RouteCall<unknown>, 'context' | 'memory' | 'caller'>,
): Promise<HttpAnswer> {
  const { context, memory, caller } = call
  const pace = new Pace()
  const buffer = new AnswerBuffer(memory, context.limits.answerBytes)
  try {
    for (const [index, result] of results.entries()) {
      for (const series of result) {
        for (const frame of chunkFrames(series, index)) buffer.add(frame)
        caller.signal.throwIfAborted()
        await pace.turn()
      }
    }
  } catch (error) {
    buffer.drop()
    throw error
  }
  return { status: 200, headers: { 'Content-Type': CHUNKS }, body: buffer.whole() }
}

const readRoute: AnyRoute = {
  name: 'prometheusRead',
  method: 'POST',
  path: '/api/v1/read',
  summary: 'Return samples by remote read',
  role: 'read',
  body: remoteReadBody,
  bodyTypes: [PROTOBUF],
  bodyEncodings: ['snappy'],
  readBody: decodeRemoteRead,
  answers: [
    { status: 200, description: 'All samples in one message.', schema: z.string(), contentType: PROTOBUF },
    { status: 200, description: 'Chunks of samples.', schema: z.string(), contentType: CHUNKS.replace(/;.*/, '') },
  ],
  isQuery: true,
  shapeError: shapePrometheusError,
  isAvailable: (context) => context.metricRead !== undefined,
  handle: async ({ body, ...call }: RouteCall<RemoteReadRequest>) => {
    const results = await fetched(body, call)
    // Clients that accept chunks also accept samples, and only samples can represent every histogram.
    const hasHistograms = results.some((result) => result.some(({ histograms }) => histograms !== undefined))
    return body.wantsChunks && !hasHistograms ? asChunks(results, call) : asSamples(results, call)
  },
}

export const prometheusReadRoutes: readonly AnyRoute[] = [readRoute]
