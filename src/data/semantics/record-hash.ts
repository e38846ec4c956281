import { work } from '../../base/index.ts'
import { encodeText } from '../columns/bytes.ts'
import type { Row } from '../row.ts'
import { Instant, isEmptyValue, JsonText, type Value } from '../value.ts'

/** Start values by type, so that the number 1 and the text `1` differ. */
export const hashSeed = { number: 0x2545f491, bool: 0x1b873593, time: 0x7f4a7c15, text: 0x9e3779b9, json: 0x3c6ef372 }

/** Mixes 32 bits. */
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

/** Avoids 0, which is the hash of a missing value. */
function settled(hash: number): number {
  return mix(hash) || 1
}

/** Hashes a text as UTF-8, halves of surrogate pairs as three bytes: the bytes `[start, end)`. */
export function hashBytes(seed: number, bytes: Uint8Array, start: number, end: number): number {
  work((end - start) >> 6)
  let h = seed ^ (end - start)
  let i = start
  for (; i + 4 <= end; i += 4) h = step(h, bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24))
  for (; i < end; i++) h = step(h, bytes[i])
  return settled(h)
}

/** Like `hashBytes`; ASCII is not encoded first. */
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

/** Hashes a number; an integer beyond 2^53 as the nearest float. */
function hashNumber(value: number): number {
  // Adding 0 makes a negative zero positive.
  float[0] = value + 0
  return value === value ? settled(step(step(hashSeed.number, words[1]), words[0])) : settled(hashSeed.number)
}

/** Hashes a time, from the two 32-bit words of its nanoseconds. */
function hashTime(high: number, low: number): number {
  return settled(step(step(hashSeed.time, high), low))
}

/** Returns 0 for a value that is missing or `''`, else never 0. */
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

/** Hashes the name of a field. */
export function hashName(name: string): number {
  return hashString(0, name)
}

/** Returns what a field adds to the sum of a record; 0 when it is missing. */
export function fieldTerm(nameHash: number, valueHash: number): number {
  return valueHash === 0 ? 0 : mix(valueHash ^ nameHash)
}

/** Returns a hash from 1 to 2^32-1, from the sum of the terms of all fields. */
export function recordHashOf(sum: number): number {
  return settled(sum)
}

/**
 * Returns the hash by which `sample` selects records: 1 to 2^32-1 from the names and values of the stored fields, the
 * time among them. Neither their order nor the place of the record matters.
 */
export function recordHash(row: Row): number {
  let sum = 0
  for (const [name, value] of row) sum = (sum + fieldTerm(hashName(name), hashValue(value))) | 0
  return recordHashOf(sum)
}

/** Returns a hash from 1 to 2^32-1 for a row that is no record, from its position in its input. */
export function placeHash(place: number): number {
  return hashNumber(place)
}
