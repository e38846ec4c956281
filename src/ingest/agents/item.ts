import { EXCERPT_CHARS } from '../../base/index.ts'
import {
  isJsonObject,
  isTooDeep,
  parseJsonExact,
  type ExactJson,
  type ExactJsonObject,
  type MutableRow,
} from '../../data/index.ts'
import { MAX_ROW_FIELDS, flattenInto, flattenRecord, recordFault } from '../../store/index.ts'
import { MAX_ITEM_BYTES } from '../tuning.ts'

/** The reason why a unit of a payload is not a record. */
export interface BadItem {
  readonly reason: string
  readonly excerpt: string
}

/**
 * The records of a payload in order. Yields the reason for a unit that is not a record, and `undefined` at checkpoints.
 */
export type Items = Generator<MutableRow | BadItem | undefined, void>

export const TOO_LONG = `longer than ${MAX_ITEM_BYTES / 2 ** 20} MiB`

export function badItem(reason: string, text: string): BadItem {
  return { reason, excerpt: text.slice(0, EXCERPT_CHARS) }
}

/** Parses a string as a JSON object. Returns the reason if the string is not one. */
export function jsonObject(text: string): ExactJsonObject | string {
  if (isTooDeep(text)) return 'nested too deep'
  try {
    const value = parseJsonExact(text)
    return isJsonObject(value) ? value : 'not a JSON object'
  } catch (error) {
    return `not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Returns the members of an object as fields of a record. */
export function recordOf(value: ExactJsonObject): MutableRow {
  const record: MutableRow = new Map()
  flattenRecord(record, value, MAX_ROW_FIELDS)
  return record
}

/** Adds a member under its name, or under `<whose>.<name>` if the record already has that name. */
export function addBeside(record: MutableRow, name: string, value: ExactJson | undefined, whose: string): void {
  if (value === undefined || value === null || value === '') return
  const isTaken = record.get(name) !== undefined
  flattenInto(record, isTaken ? `${whose}.${name}` : name, value, 1, MAX_ROW_FIELDS)
}

/** Returns the record, or the reason why it cannot be stored. */
export function storable(record: MutableRow, text: () => string): MutableRow | BadItem {
  const reason = recordFault(record)
  return reason === undefined ? record : badItem(reason, text())
}
