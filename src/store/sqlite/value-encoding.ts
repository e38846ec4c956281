import { invariant } from '../../base/index.ts'
import { Instant, JsonText, integer, type Value } from '../../data/index.ts'
import type { SqlValue } from './connection.ts'

/**
 * First bytes of BLOBs. Every Value is encoded losslessly as one SQLite value. Strings are TEXT and numbers INTEGER or
 * REAL, so that SQLite can compare them. Values that SQLite would change are BLOBs that begin with a tag. NULL is a
 * missing value. Columns that only have times use another form: INTEGER nanoseconds.
 */
const TAG = { bool: 0x42, integer: 0x49, json: 0x4a, nan: 0x4e, string: 0x53, time: 0x54, wideJson: 0x57 } as const

function tagged(tag: number, body: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(body.length + 1)
  bytes[0] = tag
  bytes.set(body, 1)
  return bytes
}

function utf16(text: string): Uint8Array {
  return Buffer.from(text, 'utf16le')
}

const TRUE = Buffer.from([TAG.bool, 1])
const FALSE = Buffer.from([TAG.bool, 0])
const NAN = Buffer.from([TAG.nan])

export function encodeBool(value: boolean): Uint8Array {
  return value ? TRUE : FALSE
}

export function encodeNumber(value: number): SqlValue {
  // -0 stays a REAL, because it has no INTEGER form. Columns have no declared type, so SQLite does not convert it.
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return BigInt(value)
  return value !== value ? NAN : value
}

/** Encodes a time as big-endian bytes with an inverted sign bit, so that the order of bytes is the order of times. */
function encodeTime(ns: bigint): Uint8Array {
  const bytes = Buffer.allocUnsafe(9)
  bytes[0] = TAG.time
  bytes.writeBigUInt64BE(BigInt.asUintN(64, ns ^ (1n << 63n)), 1)
  return bytes
}

export function encodeValue(value: Value): SqlValue {
  if (value === null) return null
  if (typeof value === 'string') return value.isWellFormed() ? value : tagged(TAG.string, utf16(value))
  if (typeof value === 'number') return encodeNumber(value)
  if (typeof value === 'boolean') return encodeBool(value)
  if (typeof value === 'bigint') return tagged(TAG.integer, Buffer.from(value.toString()))
  if (value instanceof Instant) return encodeTime(value.ns)
  return value.json.isWellFormed() ? tagged(TAG.json, Buffer.from(value.json)) : tagged(TAG.wideJson, utf16(value.json))
}

function decodeBlob(blob: Uint8Array): Value {
  const bytes = Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength)
  switch (bytes[0]) {
    // An empty BLOB is never stored. Statements compare with it if nothing should match.
    case undefined:
      return null
    case TAG.bool:
      return bytes[1] === 1
    case TAG.integer:
      return integer(BigInt(bytes.toString('latin1', 1)))
    case TAG.json:
      return new JsonText(bytes.toString('utf8', 1))
    case TAG.nan:
      return NaN
    case TAG.string:
      return bytes.toString('utf16le', 1)
    case TAG.time:
      return new Instant(BigInt.asIntN(64, bytes.readBigUInt64BE(1) ^ (1n << 63n)))
    case TAG.wideJson:
      return new JsonText(bytes.toString('utf16le', 1))
    default:
      invariant(false, `a stored value has the unknown tag ${bytes[0]}`)
  }
}

export function decodeValue(value: SqlValue): Value {
  if (typeof value === 'string' || value === null) return value
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return integer(value)
  return decodeBlob(value)
}

/**
 * Encodes a value as a group key; a missing value has the key of `''`. Two values have equal keys if and only if they
 * belong to the same group.
 */
export function encodeGroupKey(value: Value): SqlValue {
  return value === '' ? null : encodeValue(value)
}
