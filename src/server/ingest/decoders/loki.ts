import type { StepwiseTask } from '../../../base/index.ts'
import { readPushJson, readPushProtobuf } from '../../../ingest/loki/index.ts'
import { unpackSnappy } from '../../../ingest/metrics/index.ts'
import type { ReadRecords } from '../../../ingest/otlp/index.ts'
import { MAX_UNPACKED_BYTES, excerptOf, type IngestDecoder } from '../decoder.ts'
import { jsonDocument } from './json-document.ts'
import { recordBatch } from './record-batch.ts'
import { decodeOrReject } from './decode-or-reject.ts'

function decoder(format: string, read: (payload: Uint8Array) => StepwiseTask<ReadRecords>): IngestDecoder {
  return {
    table: 'logs',
    format,
    *decode(payload, nowNs, options) {
      const { rows, leftOut } = yield* decodeOrReject('push of logs', () => read(payload))
      const errors = leftOut.errors.map(({ line, reason, text = '' }) => ({ line, reason, excerpt: excerptOf(text) }))
      return recordBatch('logs', rows, { nowNs, options }, leftOut.rejected, errors)
    },
  }
}

/** Decoders for Loki pushes: protobuf, which is always Snappy-compressed, and JSON. */
function decodersOf(ending: string, isDiscovering: boolean): readonly IngestDecoder[] {
  return [
    {
      ...decoder(`loki-protobuf${ending}`, (payload) =>
        readPushProtobuf(unpackSnappy(payload, MAX_UNPACKED_BYTES), isDiscovering),
      ),
      isBinary: true,
    },
    decoder(`loki-json${ending}`, (payload) => readPushJson(jsonDocument(payload), isDiscovering)),
  ]
}

/** Suffix of the formats that store only the labels that were sent, without adding labels. */
export const AS_SENT = '-as-sent'

/** Decoders for the pushes of Loki's agents. */
export const lokiDecoders: readonly IngestDecoder[] = [...decodersOf('', true), ...decodersOf(AS_SENT, false)]
