import { isJsonObject, type ExactJsonObject, type MutableRow } from '../../data/index.ts'
import { addBeside, recordOf, type Items } from './item.ts'
import { jsonItems } from './json-values.ts'

/** Reasons for refusing an event. The protocol has an error code for each of them. */
export const NO_EVENT = 'the member `event` is missing'
export const BLANK_EVENT = 'the member `event` is blank'

const METADATA = ['host', 'source', 'sourcetype', 'index'] as const

/**
 * Returns the record of one event. The event is an object with members, or a string that becomes `_msg`. Metadata and
 * fields are added under their names, or with the prefix `metadata.` or `fields.` if the event already has the name.
 * The time comes from the envelope.
 */
function eventRecord(envelope: ExactJsonObject): MutableRow | string {
  const { event, fields } = envelope
  if (event === undefined || event === null) return NO_EVENT
  if (event === '') return BLANK_EVENT
  const record: MutableRow = isJsonObject(event) ? recordOf(event) : new Map()
  if (!isJsonObject(event)) addBeside(record, '_msg', event, 'event')
  const { time } = envelope
  if (time !== undefined && time !== null && time !== '') {
    const own = record.get('_time')
    if (own !== undefined) record.set('event._time', own)
    record.delete('_time')
    addBeside(record, '_time', time, 'event')
  }
  for (const name of METADATA) addBeside(record, name, envelope[name], 'metadata')
  if (isJsonObject(fields)) for (const [name, value] of Object.entries(fields)) addBeside(record, name, value, 'fields')
  return record
}

/** Yields the events of a request to an HTTP event collector: consecutive JSON objects. */
export function splunkEvents(payload: Uint8Array): Items {
  return jsonItems(payload, eventRecord)
}
