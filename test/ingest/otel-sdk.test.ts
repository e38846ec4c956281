// @module-tag slow
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { SeverityNumber } from '@opentelemetry/api-logs'
import { OTLPLogExporter as LogHttp } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as LogProto } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPTraceExporter as TraceHttp } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as TraceProto } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorized, search, startServer, type ServerProcess } from '../harness/server-process.ts'

let server: ServerProcess

beforeAll(async () => {
  server = await startServer([])
})

afterAll(() => server.stop())

const encodings = [
  ['protobuf', LogProto, TraceProto],
  ['json', LogHttp, TraceHttp],
] as const

/** Type of the exporters' compression option; `gzip` is not exported as a value. */
type Compression = NonNullable<NonNullable<ConstructorParameters<typeof LogProto>[0]>['compression']>

test.each(
  encodings.flatMap(([name, log, span]) => ['none', 'gzip'].map((packing) => [name, packing, log, span] as const)),
)('an unmodified SDK sends logs and spans: %s, %s', async (name, packing, LogExporter, TraceExporter) => {
  const workload = `sdk-${name}-${packing}`
  const resource = resourceFromAttributes({ 'service.name': workload, 'k8s.namespace.name': 'shop' })
  const options = { headers: authorized(), compression: packing as Compression }
  const logExporter = new LogExporter({ ...options, url: `${server.address}/v1/logs` })
  const traceExporter = new TraceExporter({ ...options, url: `${server.address}/v1/traces` })
  const logs = new LoggerProvider({ resource, processors: [new BatchLogRecordProcessor({ exporter: logExporter })] })
  const traces = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(traceExporter)] })
  const tracer = traces.getTracer('checkout')
  const parent = tracer.startSpan('POST /checkout', { kind: SpanKind.SERVER })
  const child = tracer.startSpan(
    'charge',
    { kind: SpanKind.CLIENT, attributes: { 'rpc.system': 'grpc', 'peer.service': 'payments', attempt: 2 } },
    trace.setSpan(context.active(), parent),
  )
  child.setStatus({ code: SpanStatusCode.ERROR, message: 'timeout' })
  child.end()
  parent.end()
  for (let i = 0; i < 50; i++) {
    logs.getLogger('checkout').emit({
      severityNumber: i % 10 === 0 ? SeverityNumber.ERROR : SeverityNumber.INFO,
      body: `order ${i} accepted`,
      attributes: { 'order.id': i, vip: i === 7 },
      context: trace.setSpan(context.active(), parent),
    })
  }
  await Promise.all([logs.forceFlush(), traces.forceFlush()])
  await Promise.all([logs.shutdown(), traces.shutdown()])

  expect(await search(server.address, `workload:${workload} | stats by (level) count() n`)).toEqual([
    { level: 'error', n: 5 },
    { level: 'info', n: 45 },
  ])
  const { traceId, spanId } = parent.spanContext()
  const found = await search(
    server.address,
    `trace_id:${traceId} vip:true | fields namespace, content, order.id, span_id`,
  )
  expect(found).toEqual([{ namespace: 'shop', content: 'order 7 accepted', 'order.id': 7, span_id: spanId }])
  const spans = await search(
    server.address,
    `trace_id:${traceId} | fields span_name, kind, status, parent_span_id, server, client, attempt | sort by (span_name)`,
    '/api/traces/v2/search',
  )
  expect(spans).toEqual([
    {
      span_name: 'POST /checkout',
      kind: 'server',
      status: 'unset',
      parent_span_id: null,
      server: workload,
      client: null,
      attempt: null,
    },
    {
      span_name: 'charge',
      kind: 'client',
      status: 'error',
      parent_span_id: spanId,
      server: 'payments',
      client: workload,
      attempt: 2,
    },
  ])
})
