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

/**
 * Returns the simplest test that matches the listed values, with the options of `like`; `undefined` if it would match
 * nothing.
 */
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

/** Returns a key of a number. Keys are equal if and only if the numbers compare as equal. */
function numberKey(value: number | bigint): string {
  return String(typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value)
}

/**
 * Returns keys of the number and the time that a listed value can be read as. Two strings with a common key match the
 * same stored values.
 */
function interpretationsOf(value: Value): readonly string[] {
  const interpretations: string[] = []
  const number = numberOf(value)
  if (number !== undefined) interpretations.push(`number ${numberKey(number)}`)
  const timeNs = toTimeNs(value)
  if (timeNs !== undefined) interpretations.push(`time ${timeNs}`)
  return interpretations
}

/**
 * True if no listed string can be read as a number or time, so that the test is a string comparison for values of every
 * type.
 */
export function isTextList(test: ValueTest): boolean {
  return (
    isListTest(test) &&
    valuesOf(test).every((value) => typeof value === 'string' && value !== '' && interpretationsOf(value).length === 0)
  )
}

/**
 * Returns the values that both lists contain; `undefined` if one number or time has several spellings, which makes the
 * result uncertain.
 */
export function commonValues(a: ListTest, b: ListTest): readonly Value[] | undefined {
  const textOf = (value: Value): string => (a.isFolded ? fold(toText(value)) : toText(value))
  const texts = new Set<string>()
  const spellings = new Map<string, Set<string>>()
  for (const value of valuesOf(b)) {
    const text = textOf(value)
    texts.add(text)
    for (const interpretation of a.isTyped ? interpretationsOf(value) : []) {
      const known = spellings.get(interpretation)
      if (known === undefined) spellings.set(interpretation, new Set([text]))
      else known.add(text)
    }
  }
  const common: Value[] = []
  for (const value of valuesOf(a)) {
    const text = textOf(value)
    for (const interpretation of a.isTyped ? interpretationsOf(value) : []) {
      const known = spellings.get(interpretation)
      if (known !== undefined && (known.size > 1 || !known.has(text))) return undefined
    }
    if (texts.has(text)) common.push(value)
  }
  return common
}

type RangeTest = ValueTestOf<'range'>

/** Returns the intersection of two ranges of numbers. */
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
