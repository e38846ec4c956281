import { RowWriter, parseJsonExact, printJsonExact, type ExactJson, type Row } from '../../../data/index.ts'

/** A record before JSON encoding. */
export type JsonRecord = Map<string, ExactJson>

/** A row as its answer shows it: times as strings, JSON unchanged, integers with all digits. */
export function recordOf(row: Row): JsonRecord {
  return new Map(Object.entries(parseJsonExact(new RowWriter().row(row)) ?? {}))
}

function isGiven(value: ExactJson | undefined): value is ExactJson {
  return value !== undefined && value !== null && value !== ''
}

/** The named members with a value, in order of the names. */
export function pick(record: JsonRecord, names: readonly string[]): JsonRecord {
  const picked: JsonRecord = new Map()
  for (const name of names) {
    const value = record.get(name)
    if (isGiven(value)) picked.set(name, value)
  }
  return picked
}

/** Members with a prefix, which is removed; `undefined` if there are none. */
export function under(record: JsonRecord, prefix: string): ExactJson | undefined {
  const found: JsonRecord = new Map()
  for (const [name, value] of record) {
    if (name.startsWith(prefix) && isGiven(value)) found.set(name.slice(prefix.length), value)
  }
  return found.size === 0 ? undefined : objectOf(found)
}

/** A plain object with own members of any name. */
export function objectOf(record: JsonRecord): { readonly [name: string]: ExactJson } {
  return Object.fromEntries(record)
}

/** A value as a string, empty if missing. */
export function textOf(value: ExactJson | undefined): string {
  if (!isGiven(value)) return ''
  return typeof value === 'string' ? value : printJsonExact(value)
}
