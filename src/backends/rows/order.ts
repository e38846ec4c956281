import { Instant, JsonText, type Value } from '../../data/index.ts'
import { isEmpty, numberOf, textOf, timeOf } from './coerce.ts'

/** By code point, one after another; half of a surrogate pair is a code point of its own. */
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

/** Numbers, times, texts, empty values: in this order. */
type Class = 'number' | 'time' | 'text' | 'empty'
const CLASSES: readonly Class[] = ['number', 'time', 'text', 'empty']

/** Breaks ties between values of one text. */
const TYPES = ['bool', 'number', 'integer', 'time', 'text', 'json'] as const

function typeOf(value: Value): (typeof TYPES)[number] {
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'bigint') return 'integer'
  if (value instanceof Instant) return 'time'
  return value instanceof JsonText ? 'json' : 'text'
}

/** Where a value stands in the order of values. */
export interface Place {
  readonly value: Value
  readonly class: Class
  readonly number: number | bigint
  /** Code points. */
  readonly points: readonly number[]
}

export function placeOf(value: Value): Place {
  const points = pointsOf(textOf(value))
  if (isEmpty(value)) return { value, class: 'empty', number: 0, points }
  const number = typeof value === 'number' ? value : numberOf(value)
  if (number !== undefined) return { value, class: 'number', number, points }
  const ns = timeOf(value)
  return ns === undefined ? { value, class: 'text', number: 0, points } : { value, class: 'time', number: ns, points }
}

/** Numbers by value (NaN last) < times < texts by code point < empty. */
export function comparePlaces(a: Place, b: Place): number {
  if (a.class !== b.class) return CLASSES.indexOf(a.class) - CLASSES.indexOf(b.class)
  return a.class === 'text' ? compareLists(a.points, b.points) : compareAsNumbers(a.number, b.number)
}

/** As `comparePlaces`; turned round for `desc`, but NaN stays behind the numbers, and empty stays last. */
export function comparePlacesIn(a: Place, b: Place, direction: 'asc' | 'desc'): number {
  const areNumbers = a.class === 'number' && b.class === 'number'
  const isOfNaN = areNumbers && (Number.isNaN(a.number) || Number.isNaN(b.number))
  const isReversed = direction === 'desc' && a.class !== 'empty' && b.class !== 'empty' && !isOfNaN
  return isReversed ? comparePlaces(b, a) : comparePlaces(a, b)
}

/** The order of group keys: as `comparePlaces`, then by text, then by type. */
export function compareKeys(a: Place, b: Place): number {
  return (
    comparePlaces(a, b) ||
    compareLists(a.points, b.points) ||
    (a.class === 'empty' ? 0 : TYPES.indexOf(typeOf(a.value)) - TYPES.indexOf(typeOf(b.value)))
  )
}

/** A text that two values share exactly when they are one key: both empty, or of one type and with one text. */
export function keyOf(value: Value): string {
  return isEmpty(value) ? '' : `${typeOf(value)} ${textOf(value)}`
}

export function tupleKeyOf(values: readonly Value[]): string {
  return JSON.stringify(values.map(keyOf))
}

/** Items in the order of their lists of values; equal ones stay in the order given. */
export function sortedBy<T>(
  items: readonly T[],
  valuesOf: (item: T) => readonly Value[],
  compare: (a: Place, b: Place, i: number) => number,
): T[] {
  return items
    .map((item) => ({ item, places: valuesOf(item).map(placeOf) }))
    .sort((a, b) => {
      for (const [i, place] of a.places.entries()) {
        const other = b.places[i]
        const order = other === undefined ? 1 : compare(place, other, i)
        if (order !== 0) return order
      }
      return 0
    })
    .map(({ item }) => item)
}
