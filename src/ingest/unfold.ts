import { atOnce } from '../base/index.ts'
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

/** An object that holds a list of records, as exports of clouds write them. */
interface Wrapping {
  /** The list. */
  readonly list: string
  /** Members that only such objects have beside it; none where the list is all there is. */
  readonly beside: readonly string[]
  /** Members that each record gets. */
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

/** An object that holds one record, as exports of searches write it. */
interface Cover {
  /** Members that such objects have. */
  readonly has: readonly string[]
  readonly record: (value: ExactJsonObject) => ExactJsonObject | undefined
}

function inner(value: ExactJsonObject, name: string): ExactJsonObject | undefined {
  const member = value[name]
  return isJsonObject(member) ? member : undefined
}

/** The event of a result of Splunk is the text of its record. */
function splunkRecord(result: ExactJsonObject | undefined): ExactJsonObject | undefined {
  if (result === undefined) return undefined
  const { _raw, ...others } = result
  return _raw === undefined || 'message' in others ? result : { ...others, message: _raw }
}

/** A line of Loki with its labels; what it says itself, where it is an object, comes before these. */
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

/** The records of streams of Loki, as a query answers them: pairs of a time and a line, some with members of their own behind. */
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

/** A hit of Elasticsearch; `fields` has a list of each field's values. */
function hitRecord(hit: ExactJsonObject): ExactJsonObject {
  const fields = inner(hit, 'fields')
  if (fields === undefined || inner(hit, '_source') !== undefined) return inner(hit, '_source') ?? hit
  const values = Object.entries(fields).map(([name, list]): readonly [string, ExactJson] => {
    const [only = null, ...more] = Array.isArray(list) ? (list as readonly ExactJson[]) : [list]
    return [name, more.length === 0 ? only : list]
  })
  return Object.fromEntries(values)
}

/** A log of Datadog, as a search answers it: what its sender gave stands in members of its members. */
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

/** The records of an answer of a search, where it is one. */
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
 * The records in an object that is an envelope of several: an export of OpenTelemetry's file exporter, of CloudWatch,
 * CloudTrail, Azure or Kubernetes, of a search in Elasticsearch, Splunk, Loki or Datadog. `undefined` for an object that is a record itself.
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

/** Whatever has not the form of an export is a record like any other. */
function exported(resourceLogs: readonly ExactJson[]): readonly MutableRow[] | undefined {
  try {
    // The members are read as those of a decoded message, which has the same names and forms.
    const { rows, leftOut } = atOnce(
      readParsedLogs({ resourceLogs: parseJsonPlain(printJsonExact(resourceLogs)) } as unknown as LogsRequest),
    )
    return rows.length === 0 || leftOut.rejected > 0 ? undefined : rows
  } catch {
    return undefined
  }
}

const wrapping = [...COVERS.map(({ has }) => has), ['took', 'hits'], ['status', 'data']]

/** The envelopes that are known. */
export const envelopes: Envelopes = {
  lists: new Set(['resourceLogs', 'data', ...WRAPPINGS.map(({ list }) => list)]),
  wraps: (names) =>
    (names.size === 1 && names.has('hits')) || wrapping.some((has) => has.every((name) => names.has(name))),
  records: unfoldRecords,
}
