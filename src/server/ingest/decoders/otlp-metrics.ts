import type { StepwiseTask } from '../../../base/index.ts'
import type { DecodedMetrics } from '../../../ingest/metrics/index.ts'
import { readMetricsJson, readMetricsProtobuf } from '../../../ingest/otlp-metrics/index.ts'
import type { IngestDecoder } from '../decoder.ts'
import { jsonDocument } from './json-document.ts'
import { metricBatch } from './metrics.ts'
import { decodeOrReject } from './decode-or-reject.ts'

function decoder(
  format: string,
  read: (payload: Uint8Array, receivedMs: number) => StepwiseTask<DecodedMetrics>,
): IngestDecoder {
  return {
    table: 'samples',
    format,
    *decode(payload, receivedNs) {
      const receivedMs = Number(receivedNs / 1_000_000n)
      return metricBatch(yield* decodeOrReject('export of metrics', () => read(payload, receivedMs)), 0)
    },
  }
}

/** Decoders that convert OTLP metrics to samples. */
export const otlpMetricDecoders: readonly IngestDecoder[] = [
  { ...decoder('otlp-metrics-protobuf', readMetricsProtobuf), isBinary: true },
  decoder('otlp-metrics-json', (payload, receivedMs) => readMetricsJson(jsonDocument(payload), receivedMs)),
]
