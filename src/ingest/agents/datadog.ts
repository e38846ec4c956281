import type { MutableRow } from '../../data/index.ts'
import { addBeside, recordOf, type Items } from './item.ts'
import { jsonItems } from './json-values.ts'

/**
 * Adds `key:value` tags as fields. The record also keeps `ddtags`, since a tag without a value does not become a field.
 */
export function addTags(record: MutableRow): void {
  const tags = record.get('ddtags')
  if (typeof tags !== 'string') return
  for (const tag of tags.split(',')) {
    const colon = tag.indexOf(':')
    const name = tag.slice(0, colon).trim()
    if (colon > 0 && name !== '') addBeside(record, name, tag.slice(colon + 1).trim(), 'ddtags')
  }
}

/**
 * Reads logs in the format of the version 2 intake: an object or a list of objects. The member `status` of an object
 * becomes the level.
 */
export function datadogLogs(payload: Uint8Array): Items {
  return jsonItems(payload, (value) => {
    const record = recordOf(value)
    // Agents send an empty object to check that the server responds.
    if (record.size === 0) return undefined
    const status = record.get('status')
    if (typeof status === 'string' && !record.has('level')) {
      record.delete('status')
      record.set('level', status)
    }
    addTags(record)
    return record
  })
}
