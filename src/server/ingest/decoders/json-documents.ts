import { ITEMS_PER_CHECKPOINT, KEPT_EXAMPLES, type StepwiseTask } from '../../../base/index.ts'
import { FORMAT_SAMPLE_BYTES, MAX_ITEM_BYTES, unfoldRecords } from '../../../ingest/index.ts'
import {
  isKubernetesEvent,
  kubernetesEventRecord,
  kubernetesItems,
  watchedObject,
} from '../../../ingest/kubernetes/index.ts'
import {
  isJsonObject,
  isTooDeep,
  parseJsonExact,
  printJsonExact,
  type ExactJson,
  type MutableRow,
} from '../../../data/index.ts'
import { MAX_ROW_FIELDS, flattenRecord, recordFault } from '../../../store/index.ts'
import { fault } from '../../errors/http-fault.ts'
import { excerptOf, type IngestDecoder, type IngestError } from '../decoder.ts'
import { isOneDocument, listItems, startOfJson } from './list-items.ts'
import { tooLongReason } from '../payload-lines.ts'
import { recordBatch } from './record-batch.ts'

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function textOf(payload: Uint8Array): string {
  return new TextDecoder('utf-8').decode(payload)
}

/** Parses the whole payload as one document; `undefined` if the payload is not one document. */
function documentOf(text: string): ExactJson | undefined {
  if (isTooDeep(text)) return undefined
  try {
    return parseJsonExact(text)
  } catch {
    return undefined
  }
}

/** Converts a JSON object to a record; returns the reason if the value is not an object. */
function recordOf(value: ExactJson): MutableRow | string {
  if (!isJsonObject(value)) return 'a record must be an object'
  const record: MutableRow = new Map()
  flattenRecord(record, value, MAX_ROW_FIELDS)
  return recordFault(record) ?? record
}

function eventRecordOf(value: ExactJson): MutableRow | string {
  const object = watchedObject(value)
  return isKubernetesEvent(object) ? kubernetesEventRecord(object) : recordOf(object)
}

class Collector {
  readonly records: MutableRow[] = []
  readonly errors: IngestError[] = []
  rejected = 0

  add(line: number, record: MutableRow | string, source: () => string): void {
    if (typeof record !== 'string') {
      this.records.push(record)
      return
    }
    this.rejected++
    if (this.errors.length < KEPT_EXAMPLES) this.errors.push({ line, reason: record, excerpt: excerptOf(source()) })
  }
}

/** Returns a decoder for a JSON document: a record, or a list, which is read item by item. */
export function jsonDocumentDecoder(table: string): IngestDecoder {
  return {
    table,
    format: 'json',
    *decode(payload, receivedNs, options) {
      const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
      const start = startOfJson(bytes)
      const isList = bytes[start] === 0x5b
      const collector = new Collector()
      let line = 0
      const read = (from: number, to: number): void => {
        if (to - from > MAX_ITEM_BYTES) {
          collector.add(++line, tooLongReason, () => '')
          return
        }
        const text = bytes.toString('utf8', from, to)
        if (isTooDeep(text)) throw new Error('it is nested too deep')
        const item = parseJsonExact(text)
        const several = table === 'logs' && isJsonObject(item) ? unfoldRecords(item) : undefined
        if (several === undefined) collector.add(++line, recordOf(item), () => text.trim())
        else {
          line++
          for (const record of several) collector.add(line, recordFault(record) ?? record, () => text.trim())
        }
      }
      try {
        if (!isList) read(start, bytes.length)
        else {
          for (const { from, to } of listItems(bytes)) {
            read(from, to)
            if (line % ITEMS_PER_CHECKPOINT === 0) yield
          }
        }
      } catch (error) {
        throw fault('bad-payload', {
          format: 'JSON',
          reason: isList ? `${reasonOf(error)}, near item ${line + 1}` : reasonOf(error),
        })
      }
      return recordBatch(table, collector.records, { nowNs: receivedNs, options }, collector.rejected, collector.errors)
    },
  }
}

/**
 * Decoder for Kubernetes events: a single event, a list, or one on each line. Lines may also be plain records or watch
 * notifications.
 */
export const kubernetesEventsDecoder: IngestDecoder = {
  table: 'events',
  format: 'kubernetes-events',
  *decode(payload, receivedNs, options) {
    const text = textOf(payload)
    const collector = new Collector()
    const document = documentOf(text)
    if (document !== undefined) {
      const items = Array.isArray(document) ? document : (kubernetesItems(document) ?? [document])
      items.forEach((item: ExactJson, i) => collector.add(i + 1, eventRecordOf(item), () => printJsonExact(item)))
    } else {
      for (const [i, line] of text.split('\n').entries()) {
        if (i % ITEMS_PER_CHECKPOINT === 0) yield
        if (line.trim() === '') continue
        const value = documentOf(line)
        collector.add(i + 1, value === undefined ? 'not JSON' : eventRecordOf(value), () => line)
      }
    }
    return recordBatch(
      'events',
      collector.records,
      { nowNs: receivedNs, options },
      collector.rejected,
      collector.errors,
    )
  },
}

/**
 * Returns the format of a JSON payload: `kubernetes-events`; `json` for a list or a document on several lines;
 * otherwise `ndjson`.
 */
export function* jsonFormatOf(table: string, payload: Uint8Array): StepwiseTask<string> {
  const head = Buffer.from(payload.buffer, payload.byteOffset, Math.min(payload.byteLength, FORMAT_SAMPLE_BYTES))
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  const end = text.indexOf('\n')
  const first = documentOf((end === -1 ? text : text.slice(0, end)).trim())
  if (first !== undefined && !Array.isArray(first)) {
    const isList = kubernetesItems(first) !== undefined
    return table === 'events' && (isList || isKubernetesEvent(watchedObject(first))) ? 'kubernetes-events' : 'ndjson'
  }
  if (text.startsWith('[') && table !== 'events') return 'json'
  const isOpen = text.startsWith('{') || text.startsWith('[')
  // The first line is not a complete document. It is either invalid or continues on the next line.
  if (!isOpen || !(yield* isOneDocument(payload, startOfJson(payload)))) return 'ndjson'
  return table === 'events' ? 'kubernetes-events' : 'json'
}
