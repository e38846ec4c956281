import { ITEMS_PER_CHECKPOINT, KEPT_EXAMPLES } from '../../../base/index.ts'
import {
  readExposition,
  readMetricLines,
  readRemoteWrite,
  storeExemplars,
  type ExpositionFormat,
  type DecodedMetrics,
  type RemoteWriteVersion,
} from '../../../ingest/metrics/index.ts'
import { MAX_UNPACKED_BYTES, nothingOf, type DecodedBatch, type IngestDecoder, type IngestError } from '../decoder.ts'

const TABLE = 'samples'

const LATE = 'deltas that are not later than the last sample of their series'

const beyondReason = (limit: number): string =>
  `a new series beyond the ${limit.toLocaleString('en')} that a backend has (\`--max-series\`); labels with fewer values make fewer series`

/** Returns a batch of decoded samples. `first` is the number that error messages give to the first line or series. */
export function metricBatch(batch: DecodedMetrics, first: 0 | 1): DecodedBatch {
  const { columns, metadata, exemplars, bad, badCount } = batch
  const errors = bad
    .slice(0, KEPT_EXAMPLES)
    .map(({ position, reason }): IngestError => ({ line: position + 1 - first, reason }))
  if (columns.length + metadata.length + exemplars.length === 0) return nothingOf(badCount, errors)
  const { histograms } = columns
  return {
    mostBytes: columns.mostBytes,
    *apply({ samples: store, metricCatalog, limitSeries }) {
      metricCatalog.add(metadata)
      const stored = yield* columns.store(store, limitSeries, ITEMS_PER_CHECKPOINT)
      const { stored: accepted, latePoints: late, beyondLimit: beyond } = stored
      yield
      storeExemplars(store, exemplars, limitSeries)
      const rejected = badCount + late + beyond
      const more = [
        ...(late === 0 ? [] : [{ line: 1, reason: LATE }]),
        ...(beyond === 0 ? [] : [{ line: 1, reason: beyondReason(limitSeries) }]),
      ]
      const reasons = [...errors.slice(0, KEPT_EXAMPLES - more.length), ...more]
      return { accepted, rejected, errors: reasons, histograms, exemplars: exemplars.length }
    },
  }
}

function textDecoder(format: string, exposition: ExpositionFormat): IngestDecoder {
  return {
    table: TABLE,
    format,
    *decode(payload, receivedNs) {
      const text = new TextDecoder('utf-8').decode(payload)
      const defaultTimeMs = Number(receivedNs / 1_000_000n)
      return metricBatch(yield* readExposition(text, { format: exposition, defaultTimeMs }), 1)
    },
  }
}

function remoteWriteDecoder(format: string, version: RemoteWriteVersion): IngestDecoder {
  return {
    table: TABLE,
    format,
    isBinary: true,
    *decode(payload) {
      return metricBatch(yield* readRemoteWrite(payload, { version, limitBytes: MAX_UNPACKED_BYTES }), 0)
    },
  }
}

/** Decoder for JSON lines with one series each; see `metricLines`. */
const metricLinesDecoder: IngestDecoder = {
  table: TABLE,
  format: 'ndjson',
  *decode(payload, receivedNs) {
    const text = new TextDecoder('utf-8').decode(payload)
    return metricBatch(yield* readMetricLines(text, { defaultTimeMs: Number(receivedNs / 1_000_000n) }), 1)
  },
}

/** Decoders for metric samples: text formats, JSON lines, and both versions of remote write. */
export const metricDecoders: readonly IngestDecoder[] = [
  metricLinesDecoder,
  textDecoder('prometheus-text', 'text'),
  textDecoder('open-metrics', 'open-metrics'),
  remoteWriteDecoder('remote-write-1', 1),
  remoteWriteDecoder('remote-write-2', 2),
]
