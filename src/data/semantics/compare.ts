import { codePointAt, parseIsoTime, work } from '../../base/index.ts'
import { Instant, isEmptyValue, toText, type Value } from '../value.ts'
import { parseNumber, typedNumber } from './numbers.ts'

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** Compares strings by code point, which is also the order of their UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left === right) continue
    work(1 + (i >>> 5))
    if (left < 0xd800 || right < 0xd800) return left < right ? -1 : 1
    // The differing units may be the second halves of surrogate pairs; step back to compare whole code points.
    const start = i > 0 && isHigh(a.charCodeAt(i - 1)) && (isLow(left) || isLow(right)) ? i - 1 : i
    return (codePointAt(a, start) ?? 0) < (codePointAt(b, start) ?? 0) ? -1 : 1
  }
  work(1 + (length >>> 5))
  return a.length < b.length ? -1 : a.length > b.length ? 1 : 0
}

/** Compares by value, exact between floats and big integers; NaN is last. */
export function compareNumbers(a: number | bigint, b: number | bigint): number {
  work(1)
  if (a < b) return -1
  if (a > b) return 1
  if (a === b) return 0
  const isLeftNan = a !== a
  const isRightNan = b !== b
  return isLeftNan === isRightNan ? 0 : isLeftNan ? 1 : -1
}

/** A value with its rank (number, time, string or empty), computed once for many comparisons. */
export type Ranked =
  | { readonly rank: 0; readonly key: number | bigint }
  | { readonly rank: 1; readonly key: bigint }
  | { readonly rank: 2; readonly key: string }
  | { readonly rank: 3; readonly key: null }

const EMPTY: Ranked = { rank: 3, key: null }

/**
 * Returns a value with its rank. A string that is a number or time has the rank of a number or time. Booleans, lists
 * and objects rank as strings.
 */
export function rankOf(value: Value): Ranked {
  work(1)
  if (isEmptyValue(value)) return EMPTY
  const typed = typedNumber(value)
  if (typed !== undefined) return { rank: 0, key: typed }
  if (value instanceof Instant) return { rank: 1, key: value.ns }
  if (typeof value !== 'string') return { rank: 2, key: toText(value) }
  const number = parseNumber(value)
  if (number !== undefined && number === number) return { rank: 0, key: number }
  const timeNs = value.length >= 19 ? parseIsoTime(value) : undefined
  return timeNs === undefined ? { rank: 2, key: value } : { rank: 1, key: timeNs }
}

export function compareRanked(a: Ranked, b: Ranked): number {
  if (a.rank !== b.rank) return a.rank - b.rank
  if (a.rank === 2 && b.rank === 2) return compareText(a.key, b.key)
  if (a.rank === 0 && b.rank === 0) return compareNumbers(a.key, b.key)
  if (a.rank === 1 && b.rank === 1) return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
  return 0
}

/**
 * Compares any two values. Numbers come first (by value), then times, then strings (by code point), then missing values
 * and `''`.
 */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return compareNumbers(a, b)
  return compareRanked(rankOf(a), rankOf(b))
}

/**
 * Like `compareRanked`, reversed for `desc`. In both directions NaN comes after all numbers, and empty values come
 * last.
 */
export function compareRankedBy(a: Ranked, b: Ranked, direction: 'asc' | 'desc'): number {
  if (direction === 'asc' || a.rank === 3 || b.rank === 3) return compareRanked(a, b)
  const isNaNAmongNumbers = a.rank === 0 && b.rank === 0 && (a.key !== a.key || b.key !== b.key)
  return isNaNAmongNumbers ? compareRanked(a, b) : compareRanked(b, a)
}

/**
 * Like `compareValues`, reversed for `desc`. In both directions NaN comes after all numbers, and empty values come
 * last.
 */
export function compareSortKey(a: Value, b: Value, direction: 'asc' | 'desc'): number {
  return compareRankedBy(rankOf(a), rankOf(b), direction)
}
