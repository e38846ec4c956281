import { atOnce } from '../base/index.ts'
import {
  isJsonObject,
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
]

function rowOf(value: ExactJson, shared: ExactJsonObject): MutableRow {
  const row: MutableRow = new Map()
  flattenRecord(row, isJsonObject(value) ? { ...shared, ...value } : { ...shared, message: value }, MAX_ROW_FIELDS)
  return row
}

/**
 * The records in an object that is an envelope of several: an export of OpenTelemetry's file exporter, of CloudWatch,
 * CloudTrail or Azure. `undefined` for an object that is a record itself.
 */
export function unfoldRecords(value: ExactJsonObject): readonly MutableRow[] | undefined {
  const { resourceLogs } = value
  if (Array.isArray(resourceLogs) && Object.keys(value).length === 1) return exported(resourceLogs)
  for (const { list, beside, shared } of WRAPPINGS) {
    const items = value[list]
    if (!Array.isArray(items) || items.length === 0) continue
    const isWrapping = beside.length === 0 ? Object.keys(value).length === 1 : beside.every((name) => name in value)
    if (!isWrapping || !items.every(isJsonObject)) continue
    const given = Object.fromEntries(shared.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])))
    return items.map((item) => rowOf(item, given))
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
  records: unfoldRecords,
}
