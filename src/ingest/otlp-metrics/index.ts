import type { Turns } from '../../base/index.ts'
import type { PlainJson } from '../../data/index.ts'
import type { DecodedMetrics } from '../metrics/metric-sample.ts'
import { PartCount } from '../part-count.ts'
import { JsonMetricsReader } from './read-json.ts'
import { MetricsReader } from './read-protobuf.ts'
import { metricsOf } from './translate.ts'

/** Samples of an export of metrics in protobuf. Throws an Error on bytes that are not one. */
export function readMetricsProtobuf(bytes: Uint8Array, receivedMs: number): Turns<DecodedMetrics> {
  const parts = new PartCount()
  return metricsOf(new MetricsReader(bytes, parts).resources(), parts, receivedMs, bytes)
}

/** Samples of an export of metrics in parsed JSON. Throws an Error on what is not one. */
export function readMetricsJson(document: PlainJson, receivedMs: number): Turns<DecodedMetrics> {
  const parts = new PartCount()
  return metricsOf(new JsonMetricsReader(parts).resources(document), parts, receivedMs)
}
