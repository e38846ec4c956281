import { formatRfc3339 } from '../../base/index.ts'
import { Instant, toText, type Value } from '../../data/index.ts'

/** A value in a table or CSV cell: times with all nine digits, so that columns line up. */
export function cellText(value: Value): string {
  return value instanceof Instant ? formatRfc3339(value.ns) : toText(value)
}
