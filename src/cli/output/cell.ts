import { formatRfc3339 } from '../../base/index.ts'
import { Instant, toText, type Value } from '../../data/index.ts'

/** Formats a value for a table or CSV cell: times with nine digits, so that columns align. */
export function cellText(value: Value): string {
  return value instanceof Instant ? formatRfc3339(value.ns) : toText(value)
}
