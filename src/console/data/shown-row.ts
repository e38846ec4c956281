import { isJsonObject, parseJsonExact, printJsonExact, type ExactJson, type ExactJsonObject } from '../../data/index.ts'
import type { ShownRow, ShownValue } from '../ask/requests.ts'

function typeOf(value: ExactJson): ShownValue['type'] {
  if (value === null) return 'null'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'boolean'
  return Array.isArray(value) || isJsonObject(value) ? 'json' : 'number'
}

/** Returns a JSON value as text: strings without quotes, `null` as the empty text. */
export function textOfJson(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : printJsonExact(value as ExactJson)
}

/** Returns a value as the page shows it, cut to `maxChars` UTF-16 units. */
export function shownValue(name: string, value: ExactJson, maxChars: number): ShownValue {
  const type = typeOf(value)
  const text = textOfJson(value)
  if (text.length <= maxChars) return { name, text, type }
  return { name, text: text.slice(0, maxChars), type, wholeLength: text.length }
}

export function rowOfJson(row: ExactJsonObject, maxChars: number, fields?: ReadonlySet<string>): ShownRow {
  const entries = Object.entries(row).filter(([name]) => fields === undefined || fields.has(name))
  return entries.map(([name, value]) => shownValue(name, value, maxChars))
}

/** Returns a row of JSON text as the page shows it. A line that is no object is one value without a name. */
export function shownRow(line: string, maxChars: number, fields?: ReadonlySet<string>): ShownRow {
  return rowOfJson(parsedRow(line), maxChars, fields)
}

export function parsedRow(line: string): ExactJsonObject {
  try {
    const row = parseJsonExact(line)
    if (isJsonObject(row)) return row
  } catch {
    // A line that was cut is shown as it is.
  }
  return { '': line }
}

/** Returns the names of the fields of a row of JSON text. */
export function namesOf(line: string): readonly string[] {
  return Object.keys(parsedRow(line))
}
