// @module-tag slow
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Metadata, credentials } from '@grpc/grpc-js'
import { OTLPMetricExporter as GrpcExporter } from '@opentelemetry/exporter-metrics-otlp-grpc'
import { OTLPMetricExporter as ProtoExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationType,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics'
import { afterAll, expect, test, vi } from 'vitest'
import { PROCESS_KEY, authorized, startServer } from '../harness/server-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-otel-metrics-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function valueOf(address: string, query: string): Promise<string | undefined> {
  const response = await fetch(`${address}/api/v1/query?query=${encodeURIComponent(query)}`, { headers: authorized() })
  const { data } = (await response.json()) as { data: { result: readonly { value: [number, string] }[] } }
  return data.result[0]?.value[1]
}

test('an unmodified SDK sends metrics by HTTP and gRPC, which a kill does not lose', async () => {
  const server = await startServer(['--data', folder, '--otlp-grpc', '0'])
  const [, grpcPort = ''] = /:(\d+)$/.exec(await server.told(/OTLP over gRPC: \S+:\d+/)) ?? []
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${PROCESS_KEY}`)
  // The HTTP exporter sends deltas, the gRPC exporter cumulative values.
  vi.stubEnv('OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE', 'delta')
  const http = new ProtoExporter({ url: `${server.address}/v1/metrics`, headers: authorized() })
  vi.unstubAllEnvs()
  const exporters: Readonly<Record<string, PushMetricExporter>> = {
    http,
    grpc: new GrpcExporter({
      url: `http://127.0.0.1:${grpcPort}`,
      metadata,
      credentials: credentials.createInsecure(),
    }),
  }
  for (const [way, exporter] of Object.entries(exporters)) {
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
    const provider = new MeterProvider({
      resource: resourceFromAttributes({ 'service.name': way, 'service.version': '1' }),
      readers: [reader],
      views: [{ instrumentName: 'size', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } }],
    })
    const meter = provider.getMeter('shop', '2')
    const orders = meter.createCounter('orders', { unit: '{order}' })
    const duration = meter.createHistogram('duration', { unit: 's', advice: { explicitBucketBoundaries: [0.1, 1] } })
    const size = meter.createHistogram('size', { unit: 'By' })
    for (const count of [2, 3]) {
      orders.add(count, { 'customer.kind': 'new' })
      duration.record(0.5)
      size.record(1000)
      await reader.forceFlush()
    }
    await provider.shutdown()
  }
  await server.kill()
  const again = await startServer(['--data', folder])
  for (const way of Object.keys(exporters)) {
    const job = `{job="${way}"}`
    const found = {
      orders: await valueOf(again.address, `orders_total{job="${way}",customer_kind="new",otel_scope_name="shop"}`),
      bucket: await valueOf(again.address, `duration_seconds_bucket{job="${way}",le="1"}`),
      native: await valueOf(again.address, `histogram_sum(size_bytes${job})`),
      version: await valueOf(again.address, `count(target_info{job="${way}",service_version="1"})`),
    }
    expect([way, found]).toEqual([way, { orders: '5', bucket: '2', native: '2000', version: '1' }])
  }
  expect(await again.stop()).toBe(0)
})
