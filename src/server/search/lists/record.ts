import { RowWriter, parseJsonExact, printJsonExact, type ExactJson, type Row } from '../../../data/index.ts'

/** A record on its way to JSON. */
export type JsonRecord = Map<string, ExactJson>

/** A row as its answer would show it: times as text, JSON as itself, integers with every digit. */
export function recordOf(row: Row): JsonRecord {
  return new Map(Object.entries(parseJsonExact(new RowWriter().row(row)) ?? {}))
}

function isGiven(value: ExactJson | undefined): value is ExactJson {
  return value !== undefined && value !== null && value !== ''
}

/** The named members that have a value, in the order of the names. */
export function pick(record: JsonRecord, names: readonly string[]): JsonRecord {
  const picked: JsonRecord = new Map()
  for (const name of names) {
    const value = record.get(name)
    if (isGiven(value)) picked.set(name, value)
  }
  return picked
}

/** The members whose names begin with `prefix`, without it; `undefined` when there are none. */
export function under(record: JsonRecord, prefix: string): ExactJson | undefined {
  const found: JsonRecord = new Map()
  for (const [name, value] of record) {
    if (name.startsWith(prefix) && isGiven(value)) found.set(name.slice(prefix.length), value)
  }
  return found.size === 0 ? undefined : objectOf(found)
}

/** The object that JSON shows; its members are its own, whatever they are called. */
export function objectOf(record: JsonRecord): { readonly [name: string]: ExactJson } {
  return Object.fromEntries(record)
}

/** A value as text, empty when missing. */
export function textOf(value: ExactJson | undefined): string {
  if (!isGiven(value)) return ''
  return typeof value === 'string' ? value : printJsonExact(value)
}
