import { Instant, JsonText, type Value } from '../../data/index.ts'
import { isEmpty, numberOf, textOf, timeOf } from './coerce.ts'

/** Compares strings by code point; an unpaired surrogate is a code point. */
export function compareCharacters(a: string, b: string): number {
  return compareLists(pointsOf(a), pointsOf(b))
}

function pointsOf(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0)
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  for (const [i, point] of a.entries()) {
    const other = b[i]
    if (other === undefined) return 1
    if (point !== other) return point - other
  }
  return a.length - b.length
}

function compareAsNumbers(a: number | bigint, b: number | bigint): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return a < b ? -1 : a > b ? 1 : 0
}

/** Types in sort order: numbers, times, strings, empty values. */
type Class = 'number' | 'time' | 'text' | 'empty'
const CLASSES: readonly Class[] = ['number', 'time', 'text', 'empty']

/** Types that break ties between values with the same text, in order. */
const TYPES = ['bool', 'number', 'integer', 'time', 'text', 'json'] as const

function typeOf(value: Value): (typeof TYPES)[number] {
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'bigint') return 'integer'
  if (value instanceof Instant) return 'time'
  return value instanceof JsonText ? 'json' : 'text'
}

/** The sort position of a value. */
export interface SortPosition {
  readonly value: Value
  readonly class: Class
  readonly number: number | bigint
  /** The code points of the text. */
  readonly points: readonly number[]
}

export function sortPositionOf(value: Value): SortPosition {
  const points = pointsOf(textOf(value))
  if (isEmpty(value)) return { value, class: 'empty', number: 0, points }
  const number = typeof value === 'number' ? value : numberOf(value)
  if (number !== undefined) return { value, class: 'number', number, points }
  const ns = timeOf(value)
  return ns === undefined ? { value, class: 'text', number: 0, points } : { value, class: 'time', number: ns, points }
}

/** Compares by type, then by value: numbers (NaN last), times, strings by code point, empty values. */
export function comparePositions(a: SortPosition, b: SortPosition): number {
  if (a.class !== b.class) return CLASSES.indexOf(a.class) - CLASSES.indexOf(b.class)
  return a.class === 'text' ? compareLists(a.points, b.points) : compareAsNumbers(a.number, b.number)
}

/**
 * Like `comparePositions`, reversed for `desc`. In both directions NaN comes after all numbers, and empty values come
 * last.
 */
export function comparePositionsIn(a: SortPosition, b: SortPosition, direction: 'asc' | 'desc'): number {
  const areNumbers = a.class === 'number' && b.class === 'number'
  const isOfNaN = areNumbers && (Number.isNaN(a.number) || Number.isNaN(b.number))
  const isReversed = direction === 'desc' && a.class !== 'empty' && b.class !== 'empty' && !isOfNaN
  return isReversed ? comparePositions(b, a) : comparePositions(a, b)
}

/** Compares group keys: as `comparePositions`, then by text, then by type. */
export function compareKeys(a: SortPosition, b: SortPosition): number {
  return (
    comparePositions(a, b) ||
    compareLists(a.points, b.points) ||
    (a.class === 'empty' ? 0 : TYPES.indexOf(typeOf(a.value)) - TYPES.indexOf(typeOf(b.value)))
  )
}

/**
 * Returns a string that is equal for two values if and only if they are the same key: both empty, or equal in type and
 * text.
 */
export function keyOf(value: Value): string {
  return isEmpty(value) ? '' : `${typeOf(value)} ${textOf(value)}`
}

export function tupleKeyOf(values: readonly Value[]): string {
  return JSON.stringify(values.map(keyOf))
}

/** Sorts items by their lists of values. Items with equal lists keep their order. */
export function sortedBy<T>(
  items: readonly T[],
  valuesOf: (item: T) => readonly Value[],
  compare: (a: SortPosition, b: SortPosition, i: number) => number,
): T[] {
  return items
    .map((item) => ({ item, places: valuesOf(item).map(sortPositionOf) }))
    .sort((a, b) => {
      for (const [i, position] of a.places.entries()) {
        const other = b.places[i]
        const order = other === undefined ? 1 : compare(position, other, i)
        if (order !== 0) return order
      }
      return 0
    })
    .map(({ item }) => item)
}
