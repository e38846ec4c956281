import { CommandError, SECOND_NS, formatRfc3339 } from '../../base/index.ts'
import {
  Instant,
  columnOfValues,
  isZone,
  valueAt,
  zoneOffsetAt,
  type RecordBatch,
  type Value,
} from '../../data/index.ts'

/** Parses a time zone. Throws CommandError. */
export function zoneNamed(text: string, option: string): string {
  if (isZone(text)) return text
  throw new CommandError(`${option} needs a zone such as Europe/Berlin or +02:00, not \`${text}\`.`)
}

function offsetText(seconds: number): string {
  const minutes = Math.floor(Math.abs(seconds) / 60)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Formats an instant in a zone, with its UTC offset. */
function localText({ ns }: Instant, zone: string): string {
  const offsetSeconds = zoneOffsetAt(zone, Math.floor(Number(ns / SECOND_NS)))
  // UTC offsets before the standard zones have seconds, which RFC 3339 cannot express.
  const shownSeconds = offsetSeconds - (offsetSeconds % 60)
  return formatRfc3339(ns + BigInt(shownSeconds) * SECOND_NS).replace('Z', offsetText(shownSeconds))
}

/** Converts the times of a batch to strings in a zone. */
export function inZone(batch: RecordBatch, zone: string): RecordBatch {
  const columns = batch.columns.map((column) => {
    const values = Array.from({ length: batch.rowCount }, (_, row): Value => valueAt(column, row))
    if (!values.some((value) => value instanceof Instant)) return column
    return columnOfValues(values.map((value) => (value instanceof Instant ? localText(value, zone) : value)))
  })
  return { ...batch, columns }
}
