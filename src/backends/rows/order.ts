import { Instant, isEmptyValue, JsonText, toNumber, toText, toTimeNs, type Value } from '../../data/index.ts'

/** 0 number, 1 time, 2 text, 3 empty. */
function classOf(value: Value): number {
  if (isEmptyValue(value)) return 3
  if (typeof value === 'number' || toNumber(value) !== undefined) return 0
  return toTimeNs(value) === undefined ? 2 : 1
}

/** By code point, one after another. */
export function compareCharacters(a: string, b: string): number {
  const left = Array.from(a, (character) => character.codePointAt(0) ?? 0)
  const right = Array.from(b, (character) => character.codePointAt(0) ?? 0)
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    if (left[i] !== right[i]) return left[i] - right[i]
  }
  return left.length - right.length
}

function compareAsNumbers(a: number | bigint, b: number | bigint): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return a < b ? -1 : a > b ? 1 : 0
}

/** Numbers by value < times < text by code point < empty. */
export function compareByClass(a: Value, b: Value): number {
  const byClass = classOf(a) - classOf(b)
  if (byClass !== 0) return byClass
  switch (classOf(a)) {
    case 0:
      return compareAsNumbers(toNumber(a) ?? NaN, toNumber(b) ?? NaN)
    case 1:
      return compareAsNumbers(toTimeNs(a) ?? 0n, toTimeNs(b) ?? 0n)
    case 2:
      return compareCharacters(toText(a), toText(b))
    default:
      return 0
  }
}

/** Empty last in both directions. */
export function compareInDirection(a: Value, b: Value, direction: 'asc' | 'desc'): number {
  if (isEmptyValue(a) || isEmptyValue(b)) return Number(isEmptyValue(a)) - Number(isEmptyValue(b))
  return direction === 'asc' ? compareByClass(a, b) : compareByClass(b, a)
}

const CLASSES = ['bool', 'number', 'integer', 'time', 'text', 'json']

function typeClassOf(value: Value): string {
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'bigint') return 'integer'
  if (value instanceof Instant) return 'time'
  return value instanceof JsonText ? 'json' : 'text'
}

/** Both empty, or of one type class and with one text. */
export function isSameKey(a: Value, b: Value): boolean {
  if (a === b) return true
  if (isEmptyValue(a) || isEmptyValue(b)) return isEmptyValue(a) && isEmptyValue(b)
  // Most keys are times, and their texts cost most.
  if (a instanceof Instant && b instanceof Instant) return a.ns === b.ns
  return typeClassOf(a) === typeClassOf(b) && toText(a) === toText(b)
}

export function areSameKeys(a: readonly Value[], b: readonly Value[]): boolean {
  return a.every((value, i) => isSameKey(value, b[i]))
}

/** The order of groups: class rank, then text, then type class. */
export function compareKeys(a: Value, b: Value): number {
  return (
    compareByClass(a, b) ||
    compareCharacters(toText(a), toText(b)) ||
    CLASSES.indexOf(typeClassOf(a)) - CLASSES.indexOf(typeClassOf(b))
  )
}

export function compareKeyLists(a: readonly Value[], b: readonly Value[]): number {
  for (const [i, value] of a.entries()) {
    const order = compareKeys(value, b[i])
    if (order !== 0) return order
  }
  return 0
}
