import { RowWriter, parseJsonExact, printJsonExact, type ExactJson, type Row } from '../../../data/index.ts'

/** A record before JSON encoding. */
export type JsonRecord = Map<string, ExactJson>

/** Converts a row for an answer: times become strings, JSON stays unchanged, integers keep all digits. */
export function recordOf(row: Row): JsonRecord {
  return new Map(Object.entries(parseJsonExact(new RowWriter().row(row)) ?? {}))
}

function isGiven(value: ExactJson | undefined): value is ExactJson {
  return value !== undefined && value !== null && value !== ''
}

/** Returns the members with these names that have a value, in the order of the names. */
export function pick(record: JsonRecord, names: readonly string[]): JsonRecord {
  const picked: JsonRecord = new Map()
  for (const name of names) {
    const value = record.get(name)
    if (isGiven(value)) picked.set(name, value)
  }
  return picked
}

/** Members with a prefix, which is removed from their names; `undefined` if there are none. */
export function under(record: JsonRecord, prefix: string): ExactJson | undefined {
  const found: JsonRecord = new Map()
  for (const [name, value] of record) {
    if (name.startsWith(prefix) && isGiven(value)) found.set(name.slice(prefix.length), value)
  }
  return found.size === 0 ? undefined : objectOf(found)
}

/** Returns a plain object with own members of any name. */
export function objectOf(record: JsonRecord): { readonly [name: string]: ExactJson } {
  return Object.fromEntries(record)
}

/** Returns a value as a string, empty if missing. */
export function textOf(value: ExactJson | undefined): string {
  if (!isGiven(value)) return ''
  return typeof value === 'string' ? value : printJsonExact(value)
}
