import type { StepwiseTask } from '../../../base/index.ts'
import { RecordFaultCount, parseJsonPlain } from '../../../data/index.ts'
import { isTooDeep } from '../../../data/index.ts'
import {
  readLogs,
  readParsedLogs,
  readParsedSpans,
  readSpans,
  type LogsRequest,
  type ReadRecords,
  type DecodedRows,
  type TraceRequest,
} from '../../../ingest/otlp/index.ts'
import { nothingOf, type IngestDecoder } from '../decoder.ts'
import { recordBatch } from './record-batch.ts'
import { decodeOrReject } from './decode-or-reject.ts'

/** Checks that the nested lists that lead to the records contain objects. A missing member counts as an empty list. */
function checkLists(value: object, [member, ...rest]: readonly string[]): void {
  if (member === undefined) return
  const list: unknown = Object.hasOwn(value, member) ? (value as Readonly<Record<string, unknown>>)[member] : undefined
  if (list === undefined || list === null) return
  if (!Array.isArray(list)) throw new Error(`\`${member}\` is not a list`)
  for (const item of list as readonly unknown[]) {
    if (item === null || typeof item !== 'object' || Array.isArray(item))
      throw new Error(`something in \`${member}\` is not an object`)
    checkLists(item, rest)
  }
}

function parsed(payload: Uint8Array): LogsRequest & TraceRequest {
  const text = new TextDecoder('utf-8').decode(payload)
  if (isTooDeep(text)) throw new Error('it is nested too deep')
  const value = parseJsonPlain(text)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Error('it is not an object')
  checkLists(value, ['resourceLogs', 'scopeLogs', 'logRecords'])
  checkLists(value, ['resourceSpans', 'scopeSpans', 'spans', 'events'])
  checkLists(value, ['resourceSpans', 'scopeSpans', 'spans', 'links'])
  return value as LogsRequest & TraceRequest
}

type Names = readonly [table: string, what: string, format: string]

/** Returns a decoder for protobuf that writes rows directly into columns. */
function protobufDecoder(
  [table, what, format]: Names,
  read: (payload: Uint8Array) => StepwiseTask<DecodedRows>,
): IngestDecoder {
  return {
    table,
    format,
    isBinary: true,
    *decode(payload, nowNs, options) {
      const { rows, leftOut } = yield* decodeOrReject(what, () => read(payload))
      const { rejected, errors } = leftOut
      if (rows.rowCount === 0) return nothingOf(rejected, errors)
      return {
        *apply({ store }) {
          const times = new RecordFaultCount()
          const appender = store.table(table).writer.sentRowsWith(options)
          for (let at = 0; at < rows.words.length;) {
            at = appender.append(rows, at, nowNs, times)
            yield
          }
          return { accepted: rows.rowCount, rejected, errors, ...times.found() }
        },
      }
    },
  }
}

function jsonDecoder(
  [table, what, format]: Names,
  read: (payload: Uint8Array) => StepwiseTask<ReadRecords>,
): IngestDecoder {
  return {
    table,
    format,
    *decode(payload, nowNs, options) {
      const { rows, leftOut } = yield* decodeOrReject(what, () => read(payload))
      return recordBatch(table, rows, { nowNs, options }, leftOut.rejected, leftOut.errors)
    },
  }
}

/** Decoders for OTLP logs and spans, in protobuf and JSON. */
export const otlpDecoders: readonly IngestDecoder[] = [
  protobufDecoder(['logs', 'export of logs', 'otlp-protobuf'], readLogs),
  jsonDecoder(['logs', 'export of logs', 'otlp-json'], (payload) => readParsedLogs(parsed(payload))),
  protobufDecoder(['spans', 'export of traces', 'otlp-protobuf'], readSpans),
  jsonDecoder(['spans', 'export of traces', 'otlp-json'], (payload) => readParsedSpans(parsed(payload))),
]
