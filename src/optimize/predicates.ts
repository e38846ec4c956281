import { work } from '../base/index.ts'
import {
  compareNumbers,
  compileTest,
  fold,
  parseNumber,
  toText,
  toTimeNs,
  type Value,
  type ValueTest,
  type ValueTestOf,
} from '../data/index.ts'

/** True if a missing value fails the test. */
export function rejectsMissing(test: ValueTest): boolean {
  return !compileTest(test)(null)
}

type ListTest = ValueTestOf<'in'> | ValueTestOf<'equals'>

export function isListTest(test: ValueTest): test is ListTest {
  return test.kind === 'in' || test.kind === 'equals'
}

export function valuesOf(test: ListTest): readonly Value[] {
  return test.kind === 'in' ? test.values : [test.value]
}

/** The simplest form of a list test; `undefined` if it matches nothing. */
export function listTest(values: readonly Value[], like: ListTest): ValueTest | undefined {
  const seen = new Set<string>()
  const distinct = values.filter((value) => {
    work(4)
    const key = `${typeof value} ${toText(value)}`
    return seen.has(key) ? false : seen.add(key)
  })
  const { isFolded, isTyped } = like
  const [only] = distinct
  if (only === undefined) return undefined
  if (distinct.length > 1) return { kind: 'in', values: distinct, isFolded, isTyped }
  return toText(only) === '' ? { kind: 'empty' } : { kind: 'equals', value: only, isFolded, isTyped }
}

function numberOf(value: Value): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return typeof value === 'string' ? parseNumber(value) : undefined
}

/** Key of a number: equal if and only if two numbers compare as equal. */
function numberKey(value: number | bigint): string {
  return String(typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value)
}

/** Keys of the numbers and times that match a listed value; strings that share one match the same values. */
function readingsOf(value: Value): readonly string[] {
  const readings: string[] = []
  const number = numberOf(value)
  if (number !== undefined) readings.push(`number ${numberKey(number)}`)
  const timeNs = toTimeNs(value)
  if (timeNs !== undefined) readings.push(`time ${timeNs}`)
  return readings
}

/** True if no listed string reads as a number or time: then the list tests the string of a value, whatever its type. */
export function isTextList(test: ValueTest): boolean {
  return (
    isListTest(test) &&
    valuesOf(test).every((value) => typeof value === 'string' && value !== '' && readingsOf(value).length === 0)
  )
}

/** The listed values that both lists have; `undefined` if spellings of one number or time make that unclear. */
export function commonValues(a: ListTest, b: ListTest): readonly Value[] | undefined {
  const textOf = (value: Value): string => (a.isFolded ? fold(toText(value)) : toText(value))
  const texts = new Set<string>()
  const spellings = new Map<string, Set<string>>()
  for (const value of valuesOf(b)) {
    const text = textOf(value)
    texts.add(text)
    for (const reading of a.isTyped ? readingsOf(value) : []) {
      const known = spellings.get(reading)
      if (known === undefined) spellings.set(reading, new Set([text]))
      else known.add(text)
    }
  }
  const common: Value[] = []
  for (const value of valuesOf(a)) {
    const text = textOf(value)
    for (const reading of a.isTyped ? readingsOf(value) : []) {
      const known = spellings.get(reading)
      if (known !== undefined && (known.size > 1 || !known.has(text))) return undefined
    }
    if (texts.has(text)) common.push(value)
  }
  return common
}

type RangeTest = ValueTestOf<'range'>

/** Intersection of two ranges of numbers. */
export function commonRange(a: RangeTest, b: RangeTest): RangeTest {
  const min = compareNumbers(a.min, b.min)
  const max = compareNumbers(a.max, b.max)
  const lower = min > 0 ? a : b
  const upper = max < 0 ? a : b
  return {
    kind: 'range',
    min: lower.min,
    max: upper.max,
    isMinIncluded: min === 0 ? a.isMinIncluded && b.isMinIncluded : lower.isMinIncluded,
    isMaxIncluded: max === 0 ? a.isMaxIncluded && b.isMaxIncluded : upper.isMaxIncluded,
  }
}

/** True if no number is in the range; a NaN bound matches nothing. */
export function isEmptyRange(range: RangeTest): boolean {
  const { min, max } = range
  if (min !== min || max !== max) return true
  const order = compareNumbers(min, max)
  return order > 0 || (order === 0 && !(range.isMinIncluded && range.isMaxIncluded))
}
