import { formatRfc3339 } from '../base/index.ts'
import { Instant, JsonText, type Value } from './value.ts'

/**
 * Writes one value as JSON. Integers beyond 2^53 are exact. NaN and infinities become `null`. Times are RFC 3339
 * strings in UTC with nine fraction digits. JSON values are written as they are.
 */
export function valueToJson(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (value === null) return 'null'
  if (typeof value === 'number') return Number.isFinite(value) ? String(value === 0 ? 0 : value) : 'null'
  if (value instanceof Instant) return `"${formatRfc3339(value.ns)}"`
  if (value instanceof JsonText) return value.json
  return String(value)
}
