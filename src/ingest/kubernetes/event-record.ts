import { parseRfc3339 } from '../../base/index.ts'
import {
  Instant,
  isJsonObject,
  type ExactJson,
  type ExactJsonObject,
  type MutableRow,
  type Value,
} from '../../data/index.ts'
import { flattenInto } from '../../store/index.ts'
import { workloadNameOf } from './workload-name.ts'

function objectAt(value: ExactJsonObject, names: readonly string[]): ExactJsonObject {
  for (const name of names) {
    const member = value[name]
    if (isJsonObject(member)) return member
  }
  return {}
}

function textAt(value: ExactJsonObject, names: readonly string[]): string {
  for (const name of names) {
    const member = value[name]
    if (typeof member === 'string' && member !== '') return member
  }
  return ''
}

function timeAt(value: ExactJsonObject, names: readonly string[]): Instant | null {
  for (const name of names) {
    const member = value[name]
    const ns = typeof member === 'string' ? parseRfc3339(member) : undefined
    if (ns !== undefined) return new Instant(ns)
  }
  return null
}

/** True if a JSON value is an event of the Kubernetes API, in either of its two API groups. */
export function isKubernetesEvent(value: ExactJson): value is ExactJsonObject {
  if (!isJsonObject(value)) return false
  return isJsonObject(value['involvedObject']) || isJsonObject(value['regarding']) || value['kind'] === 'Event'
}

/** Returns the items of a list of Kubernetes objects; `undefined` if the value is not such a list. */
export function kubernetesItems(value: ExactJson): readonly ExactJson[] | undefined {
  if (!isJsonObject(value)) return undefined
  const { kind, items } = value
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? items : undefined
}

/** Returns the event inside a watch notification (`{"type": "ADDED", "object": …}`), or the value itself. */
export function watchedObject(value: ExactJson): ExactJson {
  return isJsonObject(value) && typeof value['type'] === 'string' && isJsonObject(value['object'])
    ? value['object']
    : value
}

/** Members that become a field of their own in the record. */
const READ: ReadonlySet<string> = new Set([
  'kind',
  'apiVersion',
  'metadata',
  'involvedObject',
  'regarding',
  'related',
  'reason',
  'message',
  'note',
  'type',
  'count',
  'deprecatedCount',
  'series',
  'source',
  'deprecatedSource',
  'firstTimestamp',
  'deprecatedFirstTimestamp',
  'lastTimestamp',
  'deprecatedLastTimestamp',
  'eventTime',
])

/**
 * Returns an event of Kubernetes as a record of the events table. The record's time is the time when the event was last
 * seen. The workload is derived from the name of the event's object. Members that the API does not define keep their
 * names.
 */
export function kubernetesEventRecord(event: ExactJsonObject): MutableRow {
  const metadata = objectAt(event, ['metadata'])
  const about = objectAt(event, ['involvedObject', 'regarding'])
  const source = objectAt(event, ['source', 'deprecatedSource'])
  const series = objectAt(event, ['series'])
  const kind = textAt(about, ['kind'])
  const instance = textAt(about, ['name'])
  const started = timeAt(event, ['firstTimestamp', 'deprecatedFirstTimestamp', 'eventTime'])
  const created = timeAt(metadata, ['creationTimestamp'])
  const first = started ?? created
  const last =
    timeAt(event, ['lastTimestamp', 'deprecatedLastTimestamp']) ?? timeAt(series, ['lastObservedTime']) ?? first
  const record: MutableRow = new Map()
  const set = (name: string, value: Value | undefined): void => {
    if (value !== undefined && value !== null && value !== '') record.set(name, value)
  }
  for (const [name, member] of Object.entries(event)) if (!READ.has(name)) flattenInto(record, name, member, 1)
  set('_time', last)
  set('type', textAt(event, ['type']))
  set('reason', textAt(event, ['reason']))
  set('message', textAt(event, ['message', 'note']))
  set('namespace', textAt(about, ['namespace']) || textAt(metadata, ['namespace']))
  set('workload', record.get('workload') ?? workloadNameOf(kind, instance))
  set('instance', instance)
  set('object_kind', kind)
  set('object_uid', textAt(about, ['uid']))
  set('uid', textAt(metadata, ['uid']))
  const count = [event['count'], event['deprecatedCount'], series['count']].find((n) => typeof n === 'number')
  set('count', typeof count === 'number' ? count : 1)
  set('firstSeen', first)
  set('lastSeen', last)
  set('name', textAt(metadata, ['name']))
  set('component', textAt(source, ['component']) || textAt(event, ['reportingComponent', 'reportingController']))
  set('host', textAt(source, ['host']))
  if (kind === 'Pod') set('podName', instance)
  set('container', /\{(.+)\}$/.exec(textAt(about, ['fieldPath']))?.[1])
  return record
}
