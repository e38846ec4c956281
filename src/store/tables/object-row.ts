import { MAX_JSON_DEPTH, SluiceError, nowhere } from '../../base/index.ts'
import { Instant, readTime, scalarOf, type MutableRow } from '../../data/index.ts'
import { flattenRecord, type RecordJson } from '../record.ts'
import { tableDiagnostic } from './diagnostics.ts'

/** The table and the index of a row, for error messages. */
export interface RowSource {
  readonly table: string
  readonly index: number
}

class TooDeep extends Error {}

/** Converts a JavaScript value to its stored form; returns `undefined` for values that JSON would omit. */
function stored(value: unknown, depth: number): RecordJson | undefined {
  const scalar = scalarOf(value)
  if (scalar !== undefined) return scalar
  if (typeof value !== 'object' || value === null || value instanceof Date) return undefined
  if (depth > MAX_JSON_DEPTH) throw new TooDeep()
  if (Array.isArray(value)) return value.map((member) => stored(member, depth + 1) ?? null)
  if ('toJSON' in value && typeof value.toJSON === 'function') return stored(value.toJSON(), depth + 1)
  return members(value, depth, undefined)
}

function members(
  object: object,
  depth: number,
  isWanted: ((name: string) => boolean) | undefined,
): { readonly [key: string]: RecordJson } {
  const result: Record<string, RecordJson> = Object.create(null) as Record<string, never>
  for (const [name, value] of Object.entries(object)) {
    if (isWanted?.(name) === false) continue
    const member = stored(value, depth + 1)
    if (member !== undefined) result[name] = member
  }
  return result
}

/**
 * Returns a test for members of an object: true if the member is one of the fields, or an object that can contain one.
 */
export function wantedMembers(columns: readonly string[]): (name: string) => boolean {
  const wanted = new Set<string>()
  for (const column of columns) {
    for (let end = column.indexOf('.'); end !== -1; end = column.indexOf('.', end + 1)) wanted.add(column.slice(0, end))
    wanted.add(column)
  }
  return (name) => wanted.has(name) || name.endsWith('_attributes')
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`
}

/**
 * Converts an object to a row, flattened like JSON lines. Nested objects become dotted names, arrays become JSON text,
 * and `null` and `undefined` leave no field. A readable time becomes an `Instant`; any other value of the time field
 * becomes `<time field>.text`. Throws SluiceError `table/…` if the value is no object.
 */
export function rowOfObject(
  object: unknown,
  source: RowSource,
  timeField: string | undefined,
  isWanted?: (name: string) => boolean,
): MutableRow {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    throw new SluiceError([tableDiagnostic('not-an-object', { ...source, found: kindOf(object) }, nowhere)])
  }
  const row: MutableRow = new Map()
  try {
    flattenRecord(row, members(object, 0, isWanted))
  } catch (error) {
    if (error instanceof TooDeep) throw new SluiceError([tableDiagnostic('too-deep', { ...source }, nowhere)])
    throw error
  }
  if (timeField !== undefined) {
    const given = row.get(timeField)
    if (given !== undefined && given !== null && !(given instanceof Instant)) {
      const ns = readTime(given, { nowNs: 0n })
      if (ns === undefined) {
        row.delete(timeField)
        row.set(`${timeField}.text`, given)
      } else row.set(timeField, new Instant(ns))
    }
  }
  return row
}
