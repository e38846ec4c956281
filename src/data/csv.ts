import { formatRfc3339 } from '../base/index.ts'
import type { RecordBatch } from './batch.ts'
import { valueAt } from './columns/index.ts'
import { typedNumber } from './semantics/index.ts'
import { Instant, toText, type Value } from './value.ts'

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Prefixes an apostrophe to a string that a spreadsheet would run as a formula, so that the spreadsheet only displays
 * it.
 */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

/** Formats a value as a table or CSV cell. Times have nine fraction digits, so that columns align. */
export function cellText(value: Value): string {
  return value instanceof Instant ? formatRfc3339(value.ns) : toText(value)
}

/**
 * Yields lines as in RFC 4180, beginning with a header; nothing if there are no columns. Every row has the columns of
 * all batches, so all batches must be complete before the first line. With `isForSpreadsheet`, strings that look like
 * formulas are made harmless.
 */
export function* csvLines(batches: readonly RecordBatch[], isForSpreadsheet = false): Generator<string> {
  const cell = (value: Value): string => {
    const text = cellText(value)
    return quoted(isForSpreadsheet && typedNumber(value) === undefined ? harmless(text) : text)
  }
  const names = [...new Set(batches.flatMap((batch) => batch.schema.fields.map(({ name }) => name)))]
  if (names.length === 0) return
  yield `${names.map(cell).join(',')}\r\n`
  for (const batch of batches) {
    const columns = names.map((name) => batch.columns[batch.schema.fields.findIndex((field) => field.name === name)])
    for (let index = 0; index < batch.rowCount; index++)
      yield `${columns.map((column) => (column === undefined ? '' : cell(valueAt(column, index)))).join(',')}\r\n`
  }
}
