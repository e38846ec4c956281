import { runToEnd } from '../base/index.ts'
import {
  isJsonObject,
  isTooDeep,
  parseJsonExact,
  parseJsonPlain,
  printJsonExact,
  type ExactJson,
  type ExactJsonObject,
  type MutableRow,
} from '../data/index.ts'
import { MAX_ROW_FIELDS, flattenRecord, type Envelopes } from '../store/index.ts'
import { readParsedLogs } from './otlp/logs.ts'
import type { LogsRequest } from './otlp/messages.ts'

/** An object that contains a list of records, as in exports of cloud services. */
interface Wrapping {
  /** Name of the member that contains the list. */
  readonly list: string
  /** Members besides the list by which such an object is recognised. Without any, the list must be the only member. */
  readonly beside: readonly string[]
  /** Members that are copied to each record. */
  readonly shared: readonly string[]
}

const WRAPPINGS: readonly Wrapping[] = [
  { list: 'logEvents', beside: ['logGroup', 'logStream'], shared: ['owner', 'logGroup', 'logStream'] },
  { list: 'events', beside: [], shared: [] },
  { list: 'events', beside: ['nextForwardToken'], shared: [] },
  { list: 'events', beside: ['nextToken'], shared: [] },
  { list: 'events', beside: ['searchedLogStreams'], shared: [] },
  { list: 'entries', beside: [], shared: [] },
  { list: 'entries', beside: ['nextPageToken'], shared: [] },
  { list: 'items', beside: [], shared: [] },
  { list: 'items', beside: ['apiVersion', 'kind'], shared: [] },
  { list: 'Records', beside: [], shared: [] },
  { list: 'records', beside: [], shared: [] },
  { list: 'results', beside: ['preview'], shared: [] },
]

/** An object with a single record, as in exports of search results. */
interface Cover {
  /** Members by which such objects are recognised. */
  readonly has: readonly string[]
  readonly record: (value: ExactJsonObject) => ExactJsonObject | undefined
}

function inner(value: ExactJsonObject, name: string): ExactJsonObject | undefined {
  const member = value[name]
  return isJsonObject(member) ? member : undefined
}

/** Returns the record of a Splunk result; the raw event becomes its text. */
function splunkRecord(result: ExactJsonObject | undefined): ExactJsonObject | undefined {
  if (result === undefined) return undefined
  const { _raw, ...others } = result
  return _raw === undefined || 'message' in others ? result : { ...others, message: _raw }
}

/** Returns the record of a Loki line and its labels. If the line is an object, its members override the labels. */
function lokiRecord({ labels, line, timestamp, ...others }: ExactJsonObject): ExactJsonObject | undefined {
  if (!isJsonObject(labels) || typeof line !== 'string' || timestamp === undefined) return undefined
  const members = line.startsWith('{') ? objectOf(line) : undefined
  return { ...others, ...labels, ...(members ?? { message: line }), _time: timestamp }
}

function objectOf(line: string): ExactJsonObject | undefined {
  try {
    const value = isTooDeep(line) ? undefined : parseJsonExact(line)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the records of Loki streams in the answer of a query. A value is a time and a line, sometimes followed by
 * labels of this line only.
 */
function lokiStreams(data: ExactJsonObject | undefined): readonly ExactJsonObject[] | undefined {
  const streams = data?.['resultType'] === 'streams' ? data['result'] : undefined
  if (!Array.isArray(streams)) return undefined
  return streams.flatMap((each: ExactJson) => {
    const labels = isJsonObject(each) ? inner(each, 'stream') : undefined
    const values = isJsonObject(each) ? each['values'] : undefined
    if (labels === undefined || !Array.isArray(values)) return []
    return values.flatMap((value: ExactJson) => {
      const [timestamp = null, line = null, own = {}] = Array.isArray(value) ? (value as readonly ExactJson[]) : []
      const record = lokiRecord({ labels: isJsonObject(own) ? { ...labels, ...own } : labels, line, timestamp })
      return record === undefined ? [] : [record]
    })
  })
}

/** Returns the record of an Elasticsearch hit. In `fields` each field has a list of values. */
function hitRecord(hit: ExactJsonObject): ExactJsonObject {
  const fields = inner(hit, 'fields')
  if (fields === undefined || inner(hit, '_source') !== undefined) return inner(hit, '_source') ?? hit
  const values = Object.entries(fields).map(([name, list]): readonly [string, ExactJson] => {
    const [only = null, ...more] = Array.isArray(list) ? (list as readonly ExactJson[]) : [list]
    return [name, more.length === 0 ? only : list]
  })
  return Object.fromEntries(values)
}

/** Returns the record of a Datadog log in a search result. The sender's data is nested in `attributes.attributes`. */
function datadogRecord(item: ExactJsonObject): ExactJsonObject | undefined {
  const given = item['type'] === 'log' ? inner(item, 'attributes') : undefined
  if (given === undefined) return undefined
  const { attributes, status, ...others } = given
  return {
    ...(isJsonObject(attributes) ? attributes : {}),
    ...others,
    ...(status === undefined ? {} : { level: status }),
  }
}

/** Returns the records of a search result; `undefined` if the object is not a search result. */
function foundRecords(value: ExactJsonObject): readonly ExactJsonObject[] | undefined {
  const { data, hits } = value
  const isAnswer = 'took' in value || Object.keys(value).length === 1
  const found = isAnswer && isJsonObject(hits) ? hits['hits'] : undefined
  if (Array.isArray(found) && found.every(isJsonObject)) return found.map((hit) => hitRecord(hit))
  if (isJsonObject(data)) return 'status' in value ? lokiStreams(data) : undefined
  if (!Array.isArray(data)) return undefined
  const records = (data as readonly ExactJson[]).flatMap((item) => {
    const record = isJsonObject(item) ? datadogRecord(item) : undefined
    return record === undefined ? [] : [record]
  })
  return records.length === data.length ? records : undefined
}

const COVERS: readonly Cover[] = [
  { has: ['_index', '_source'], record: (value) => inner(value, '_source') },
  { has: ['preview', 'result'], record: (value) => splunkRecord(inner(value, 'result')) },
  { has: ['offset', 'result'], record: (value) => splunkRecord(inner(value, 'result')) },
  { has: ['labels', 'line', 'timestamp'], record: lokiRecord },
]

function rowOf(value: ExactJson, shared: ExactJsonObject): MutableRow {
  const row: MutableRow = new Map()
  flattenRecord(row, isJsonObject(value) ? { ...shared, ...value } : { ...shared, message: value }, MAX_ROW_FIELDS)
  return row
}

/**
 * Returns the records of an object that contains several; `undefined` for an object that is a record itself. Recognises
 * exports of OpenTelemetry's file exporter, CloudWatch, CloudTrail, Azure and Kubernetes, and search results of
 * Elasticsearch, Splunk, Loki and Datadog.
 */
export function unfoldRecords(value: ExactJsonObject): readonly MutableRow[] | undefined {
  const { resourceLogs } = value
  for (const { has, record } of COVERS) {
    if (!has.every((name) => name in value)) continue
    const covered = record(value)
    if (covered !== undefined) return [rowOf(covered, {})]
  }
  const found = foundRecords(value)
  if (found !== undefined && found.length > 0) return found.map((record) => rowOf(record, {}))
  if (Array.isArray(resourceLogs) && Object.keys(value).length === 1) return exported(resourceLogs)
  for (const { list, beside, shared } of WRAPPINGS) {
    const items = value[list]
    if (!Array.isArray(items) || items.length === 0) continue
    const isWrapping = beside.length === 0 ? Object.keys(value).length === 1 : beside.every((name) => name in value)
    if (!isWrapping || !items.every(isJsonObject)) continue
    const given = Object.fromEntries(shared.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])))
    const isSplunk = list === 'results'
    return items.map((item) => rowOf(isSplunk ? (splunkRecord(item) ?? item) : item, given))
  }
  return undefined
}

/**
 * Returns the records of an OTLP export; `undefined` when the object does not have that form and is an ordinary record.
 */
function exported(resourceLogs: readonly ExactJson[]): readonly MutableRow[] | undefined {
  try {
    // The members have the names and types of a decoded message, so the reader of messages is used.
    const { rows, leftOut } = runToEnd(
      readParsedLogs({ resourceLogs: parseJsonPlain(printJsonExact(resourceLogs)) } as unknown as LogsRequest),
    )
    return rows.length === 0 || leftOut.rejected > 0 ? undefined : rows
  } catch {
    return undefined
  }
}

const wrapping = [...COVERS.map(({ has }) => has), ['took', 'hits'], ['status', 'data']]

/** The known envelopes of records. */
export const envelopes: Envelopes = {
  lists: new Set(['resourceLogs', 'data', ...WRAPPINGS.map(({ list }) => list)]),
  wraps: (names) =>
    (names.size === 1 && names.has('hits')) || wrapping.some((has) => has.every((name) => names.has(name))),
  records: unfoldRecords,
}
