import { isJsonObject, parseJsonExact, printJsonExact, type ExactJson, type ExactJsonObject } from '../../data/index.ts'
import type { ShownRow, ShownValue } from '../ask/requests.ts'

function typeOf(value: ExactJson): ShownValue['type'] {
  if (value === null) return 'null'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'boolean'
  return Array.isArray(value) || isJsonObject(value) ? 'json' : 'number'
}

/** Formats a JSON value as text: strings without quotes, `null` as an empty text. */
export function textOfJson(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : printJsonExact(value as ExactJson)
}

/** Formats a value for display, cut to `maxChars` UTF-16 units. */
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

/** Parses a JSON row for display. A line that is not an object becomes a single value without a name. */
export function shownRow(line: string, maxChars: number, fields?: ReadonlySet<string>): ShownRow {
  return rowOfJson(parsedRow(line), maxChars, fields)
}

export function parsedRow(line: string): ExactJsonObject {
  try {
    const row = parseJsonExact(line)
    if (isJsonObject(row)) return row
  } catch {
    // Not valid JSON, such as a truncated line: it is shown unchanged.
  }
  return { '': line }
}

/** Returns the field names of a JSON row. */
export function namesOf(line: string): readonly string[] {
  return Object.keys(parsedRow(line))
}
