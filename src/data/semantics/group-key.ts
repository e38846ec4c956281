import { Instant, isEmptyValue, JsonText, toText, type Value } from '../value.ts'
import { compareText, compareValues } from './compare.ts'

/**
 * Returns the number of a value's type. It breaks ties between group keys with the same string. Integers beyond 2^53
 * (`bigint`) have a number of their own.
 */
export function typeClass(value: Value): number {
  if (typeof value === 'boolean') return 0
  if (typeof value === 'number') return 1
  if (typeof value === 'bigint') return 2
  if (value instanceof Instant) return 3
  return value instanceof JsonText ? 5 : 4
}

const PREFIX = ['b', 'n', 'i', 't', 's', 'j']

/**
 * Returns a string that is equal for two values if and only if they are the same group key. Missing values and `''`
 * have the key `''`.
 */
export function groupKeyText(value: Value): string {
  return isEmptyValue(value) ? '' : PREFIX[typeClass(value)] + toText(value)
}

/** Like `groupKeyText`, for a combination of several keys. */
export function groupTupleText(values: readonly Value[]): string {
  const [only] = values
  if (values.length === 1 && only !== undefined) return groupKeyText(only)
  let text = ''
  for (const value of values) {
    const part = groupKeyText(value)
    text += `${part.length}:${part}`
  }
  return text
}

/** Compares group keys by rank, then by string in code point order, then by type. The empty key is last. */
export function compareGroupKeys(a: Value, b: Value): number {
  if (a === b) return 0
  const byRank = compareValues(a, b)
  if (byRank !== 0 || isEmptyValue(a)) return byRank
  return compareText(toText(a), toText(b)) || typeClass(a) - typeClass(b)
}

export function compareGroupTuples(a: readonly Value[], b: readonly Value[]): number {
  for (let i = 0; i < a.length; i++) {
    const order = compareGroupKeys(a[i] ?? null, b[i] ?? null)
    if (order !== 0) return order
  }
  return 0
}
