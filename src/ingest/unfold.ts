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
  { list: 'events', beside: ['nextForwardToken'], shared: [] },
  { list: 'events', beside: ['searchedLogStreams'], shared: [] },
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
 * CloudTrail or Azure, of a search in Elasticsearch, Splunk or Loki. `undefined` for an object that is a record itself.
 */
export function unfoldRecords(value: ExactJsonObject): readonly MutableRow[] | undefined {
  const { hits, resourceLogs } = value
  for (const { has, record } of COVERS) {
    if (!has.every((name) => name in value)) continue
    const covered = record(value)
    if (covered !== undefined) return [rowOf(covered, {})]
  }
  // The answer of a search in Elasticsearch.
  const found = isJsonObject(hits) && 'took' in value ? hits['hits'] : undefined
  if (Array.isArray(found) && found.length > 0 && found.every(isJsonObject))
    return found.map((hit) => rowOf(inner(hit, '_source') ?? hit, {}))
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

/** The envelopes that are known. */
export const envelopes: Envelopes = {
  lists: new Set(['resourceLogs', ...WRAPPINGS.map(({ list }) => list)]),
  wraps: (names) =>
    [...COVERS.map(({ has }) => has), ['took', 'hits']].some((has) => has.every((name) => names.has(name))),
  records: unfoldRecords,
}
