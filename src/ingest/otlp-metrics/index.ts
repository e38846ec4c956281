import type { StepwiseTask } from '../../base/index.ts'
import type { PlainJson } from '../../data/index.ts'
import type { DecodedMetrics } from '../metrics/metric-sample.ts'
import { PartCount } from '../part-count.ts'
import { JsonMetricsReader } from './read-json.ts'
import { MetricsReader } from './read-protobuf.ts'
import { metricsOf } from './translate.ts'

/** Reads the samples of a metrics export in protobuf. Throws an Error if the bytes are not such an export. */
export function readMetricsProtobuf(bytes: Uint8Array, receivedMs: number): StepwiseTask<DecodedMetrics> {
  const parts = new PartCount()
  return metricsOf(new MetricsReader(bytes, parts).resources(), parts, receivedMs, bytes)
}

/** Reads the samples of a metrics export in parsed JSON. Throws an Error when the document is not such an export. */
export function readMetricsJson(document: PlainJson, receivedMs: number): StepwiseTask<DecodedMetrics> {
  const parts = new PartCount()
  return metricsOf(new JsonMetricsReader(parts).resources(document), parts, receivedMs)
}
