import { isJsonObject, type ExactJsonObject, type MutableRow } from '../../data/index.ts'
import { addBeside, recordOf, type Items } from './item.ts'
import { jsonItems } from './json-values.ts'

/** Why an event is refused, where its protocol has a word of its own for it. */
export const NO_EVENT = 'the member `event` is missing'
export const BLANK_EVENT = 'the member `event` is blank'

const METADATA = ['host', 'source', 'sourcetype', 'index'] as const

/**
 * The record of one event: members of an object, or a text as `_msg`; then the fields and what is said of the event, under
 * their names, or behind `fields.` and `event.` where the event has those itself. The time is the envelope's.
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

/** The events of a request to an HTTP event collector: JSON objects, one behind another. */
export function splunkEvents(payload: Uint8Array): Items {
  return jsonItems(payload, eventRecord)
}
