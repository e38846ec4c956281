import { noTurns } from '../../base/index.ts'
import { parseJsonExact } from '../../data/index.ts'
import { isTooDeep } from '../../ingest/index.ts'
import {
  decodeLogsRequest,
  decodeTraceRequest,
  logRecordsOf,
  spansOf,
  type LogsRequest,
  type TraceRequest,
} from '../../ingest/otlp/index.ts'
import { fault } from '../http-fault.ts'
import type { IngestDecoder } from './decoder.ts'
import { recordBatch } from './record-batch.ts'

/** Every list on the way to the records must be one of objects; a member that is missing is an empty list. */
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

type Read<T> = (payload: Uint8Array) => T

function jsonOf(payload: Uint8Array): LogsRequest & TraceRequest {
  const text = new TextDecoder('utf-8').decode(payload)
  if (isTooDeep(text)) throw new Error('it is nested too deep')
  const value = parseJsonExact(text)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Error('it is not an object')
  checkLists(value, ['resourceLogs', 'scopeLogs', 'logRecords'])
  checkLists(value, ['resourceSpans', 'scopeSpans', 'spans'])
  return value as LogsRequest & TraceRequest
}

/** Whatever a reader trips over, the payload is not what it says it is. */
function understood<T>(format: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fault('bad-payload', { format, reason: error instanceof Error ? error.message : String(error) })
  }
}

function logs(format: string, read: Read<LogsRequest>): IngestDecoder {
  return {
    table: 'logs',
    format,
    decode: (payload, nowNs, options) => {
      const records = understood('export of logs', () => logRecordsOf(read(payload)))
      return noTurns(recordBatch('logs', records, { nowNs, options }, 0, []))
    },
  }
}

function spans(format: string, read: Read<TraceRequest>): IngestDecoder {
  return {
    table: 'spans',
    format,
    decode: (payload, nowNs, options) => {
      const { rows, rejected } = understood('export of traces', () => spansOf(read(payload)))
      const errors = rejected === 0 ? [] : [{ line: 1, reason: 'spans without a start, a trace id or a span id' }]
      return noTurns(recordBatch('spans', rows, { nowNs, options }, rejected, errors))
    },
  }
}

export const otlpDecoders: readonly IngestDecoder[] = [
  logs('otlp-protobuf', decodeLogsRequest),
  logs('otlp-json', jsonOf),
  spans('otlp-protobuf', decodeTraceRequest),
  spans('otlp-json', jsonOf),
]
