import { fault } from '../errors/http-fault.ts'
import { namesTag, tagOfBytes } from './entity-tag.ts'
import type { RequestHeaders } from './request-headers.ts'

/**
 * Returns a function that checks the stored version. It throws `server/version-changed` unless `If-Match` names the
 * entity tag of one of the version's bodies. Without the header every version is accepted.
 */
export function ifMatch<T>(headers: RequestHeaders, bodiesOf: (stored: T) => readonly string[]): (stored: T) => void {
  const wanted = headers.get('if-match')
  return (stored) => {
    if (wanted === null || bodiesOf(stored).some((body) => namesTag(wanted, tagOfBytes([body])))) return
    throw fault('version-changed', {})
  }
}
