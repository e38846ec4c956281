import { work } from '../../base/index.ts'
import { encodeText } from '../columns/bytes.ts'
import type { Row } from '../row.ts'
import { Instant, isEmptyValue, JsonText, type Value } from '../value.ts'

/** Seeds by type, so that the number 1 and the string `1` have different hashes. */
export const hashSeed = { number: 0x2545f491, bool: 0x1b873593, time: 0x7f4a7c15, text: 0x9e3779b9, json: 0x3c6ef372 }

function mix(hash: number): number {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

function step(hash: number, word: number): number {
  const h = Math.imul(hash ^ word, 0x9e3779b1)
  return h ^ (h >>> 15)
}

/** Replaces the hash 0, which is reserved for missing values. */
function settled(hash: number): number {
  return mix(hash) || 1
}

/** Hashes the bytes `[start, end)` of a string in UTF-8, in which a lone surrogate is three bytes. */
export function hashBytes(seed: number, bytes: Uint8Array, start: number, end: number): number {
  work((end - start) >> 6)
  let h = seed ^ (end - start)
  let i = start
  for (; i + 4 <= end; i += 4) h = step(h, bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24))
  for (; i < end; i++) h = step(h, bytes[i])
  return settled(h)
}

/** Like `hashBytes`, for a string; ASCII needs no encoding. */
function hashString(seed: number, text: string): number {
  const { length } = text
  work(length >> 6)
  let h = seed ^ length
  let seen = 0
  let i = 0
  for (; i + 4 <= length; i += 4) {
    const [a, b] = [text.charCodeAt(i), text.charCodeAt(i + 1)]
    const [c, d] = [text.charCodeAt(i + 2), text.charCodeAt(i + 3)]
    seen |= a | b | c | d
    h = step(h, a | (b << 8) | (c << 16) | (d << 24))
  }
  for (; i < length; i++) {
    const unit = text.charCodeAt(i)
    seen |= unit
    h = step(h, unit)
  }
  if (seen < 0x80) return settled(h)
  const bytes = encodeText(text)
  return hashBytes(seed, bytes, 0, bytes.length)
}

const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)

/** Hashes a number. An integer beyond 2^53 has the hash of the nearest float. */
function hashNumber(value: number): number {
  // Adding 0 makes a negative zero positive.
  float[0] = value + 0
  return value === value ? settled(step(step(hashSeed.number, words[1]), words[0])) : settled(hashSeed.number)
}

/** Hashes a time, from the two 32-bit words of its nanoseconds. */
function hashTime(high: number, low: number): number {
  return settled(step(step(hashSeed.time, high), low))
}

/** Returns the hash of a value: 0 if it is missing or `''`, never 0 otherwise. */
export function hashValue(value: Value): number {
  if (isEmptyValue(value)) return 0
  switch (typeof value) {
    case 'string':
      return hashString(hashSeed.text, value)
    case 'number':
      return hashNumber(value)
    case 'bigint':
      return hashNumber(Number(value))
    case 'boolean':
      return settled(step(hashSeed.bool, Number(value)))
  }
  if (value instanceof JsonText) return hashString(hashSeed.json, value.json)
  if (!(value instanceof Instant)) return 0
  return hashTime(Number(BigInt.asIntN(32, value.ns >> 32n)), Number(BigInt.asIntN(32, value.ns)))
}

export function hashName(name: string): number {
  return hashString(0, name)
}

/** Returns the term of a field in a record's hash sum; 0 if the field is missing. */
export function fieldTerm(nameHash: number, valueHash: number): number {
  return valueHash === 0 ? 0 : mix(valueHash ^ nameHash)
}

/** Returns the hash of a record, from 1 to 2^32-1, given the sum of the terms of all fields. */
export function recordHashOf(sum: number): number {
  return settled(sum)
}

/**
 * Returns the hash by which `sample` selects records, from 1 to 2^32-1. It depends on the names and values of the
 * stored fields, including the time, but not on their order or the position of the record.
 */
export function recordHash(row: Row): number {
  let sum = 0
  for (const [name, value] of row) sum = (sum + fieldTerm(hashName(name), hashValue(value))) | 0
  return recordHashOf(sum)
}

/** Returns the hash of a row that is not a record, from 1 to 2^32-1, by its position in the input. */
export function positionHash(position: number): number {
  return hashNumber(position)
}
