import { noTurns } from '../../base/index.ts'
import {
  decodeRemoteWrite,
  readExposition,
  storeMetrics,
  type ExpositionFormat,
  type MetricBatch,
  type RemoteWriteVersion,
} from '../../ingest/metrics/index.ts'
import { KEPT_ERRORS, nothingOf, type DecodedBatch, type IngestDecoder, type IngestError } from './decoder.ts'

const TABLE = 'samples'

/** Samples that are stored between two turns. */
const SAMPLES_AT_ONCE = 512

/** What a packed message may unpack to. */
const UNPACKED_BYTES = 64 * 1024 * 1024

/** Samples of series; `first` is the number of the first line or series in what is told of bad ones. */
function metricBatch({ samples, metadata, bad, badCount }: MetricBatch, first: 0 | 1): DecodedBatch {
  const errors = bad
    .slice(0, KEPT_ERRORS)
    .map(({ position, reason }): IngestError => ({ line: position + 1 - first, reason }))
  if (samples.length === 0 && metadata.length === 0) return nothingOf(badCount, errors)
  const histograms = samples.filter(({ histogram }) => histogram !== undefined).length
  return {
    *apply(target) {
      target.metricCatalog.add(metadata)
      let accepted = 0
      for (let from = 0; from < samples.length; from += SAMPLES_AT_ONCE) {
        accepted += storeMetrics(target.samples, samples.slice(from, from + SAMPLES_AT_ONCE))
        yield
      }
      return { accepted, rejected: badCount, errors, histograms }
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
    decode: (payload) => noTurns(metricBatch(decodeRemoteWrite(payload, { version, limitBytes: UNPACKED_BYTES }), 0)),
  }
}

/** Metric samples: the text formats, and both versions of remote write, packed as they come. */
export const metricDecoders: readonly IngestDecoder[] = [
  textDecoder('prometheus-text', 'text'),
  textDecoder('open-metrics', 'open-metrics'),
  remoteWriteDecoder('remote-write-1', 1),
  remoteWriteDecoder('remote-write-2', 2),
]
