import { parseJsonExact, type ExactJson, type MutableRow } from '../../data/index.ts'
import { MAX_ROW_FIELDS, flattenInto, flattenRecord, recordFault } from '../../store/index.ts'
import { isTooDeep } from '../json-lines.ts'

/** A part of a payload that is not a record. */
export interface BadItem {
  readonly reason: string
  readonly excerpt: string
}

/** The records of a payload in order, with what is wrong where there is none; `undefined` where others may have a turn. */
export type Items = Generator<MutableRow | BadItem | undefined, void>

/** Bytes of a payload that are read between two turns. */
export const TURN_BYTES = 256 * 1024
/** A longer item is not read. */
export const MAX_ITEM_BYTES = 8 * 1024 * 1024
export const TOO_LONG = `longer than ${MAX_ITEM_BYTES / 2 ** 20} MiB`

const EXCERPT_CHARS = 120

export function badItem(reason: string, text: string): BadItem {
  return { reason, excerpt: text.slice(0, EXCERPT_CHARS) }
}

export type JsonObject = { readonly [key: string]: ExactJson }

export function isJsonObject(value: ExactJson | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** A text as a JSON object, or why it is not one. */
export function jsonObject(text: string): JsonObject | string {
  if (isTooDeep(text)) return 'nested too deep'
  try {
    const value = parseJsonExact(text)
    return isJsonObject(value) ? value : 'not a JSON object'
  } catch (error) {
    return `not JSON: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** The members of an object as fields of a record. */
export function recordOf(value: JsonObject): MutableRow {
  const record: MutableRow = new Map()
  flattenRecord(record, value, MAX_ROW_FIELDS)
  return record
}

/** Adds a member under its name, or where the record has that name already, under `<whose>.<name>`. */
export function addBeside(record: MutableRow, name: string, value: ExactJson | undefined, whose: string): void {
  if (value === undefined || value === null || value === '') return
  const isTaken = record.get(name) !== undefined
  flattenInto(record, isTaken ? `${whose}.${name}` : name, value, 1, MAX_ROW_FIELDS)
}

/** The record, unless it cannot be stored. */
export function storable(record: MutableRow, text: () => string): MutableRow | BadItem {
  const reason = recordFault(record)
  return reason === undefined ? record : badItem(reason, text())
}

const FRACTION = /^-?\d+\.\d+(?:[eE][+-]?\d+)?$/

/** The digits of a fraction as the text has them, of which a number keeps about seventeen. */
export function digitsOf(text: string, member: string, value: ExactJson | undefined): ExactJson | undefined {
  if (typeof value !== 'number' || Number.isInteger(value)) return value
  const name = `"${member}"`
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [, digits = ''] = /^\s*:\s*([-+.\deE]{1,40})/.exec(text.slice(at + name.length, at + name.length + 80)) ?? []
    if (FRACTION.test(digits) && Number(digits) === value) return digits
  }
  return value
}
