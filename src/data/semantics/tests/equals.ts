import { parseIsoTime, present, work } from '../../../base/index.ts'
import { Instant, toText, type Value } from '../../value.ts'
import type { ValueTestOf } from '../../value-test.ts'
import { toTimeNs } from '../coerce.ts'
import { compareNumbers } from '../compare.ts'
import { fold } from '../fold.ts'
import { parseNumber, typedNumber } from '../numbers.ts'
import type { TestOps, TextPredicate, ValuePredicate, WordNeed } from './ops.ts'
import { commonNeeds, needsOfLiteral } from './word-need.ts'

function equalsText(text: string, isFolded: boolean): TextPredicate {
  if (!isFolded) return (other) => other === text
  const folded = fold(text)
  // Case folding does not change the length.
  return (other) => other.length === folded.length && (other === folded || fold(other) === folded)
}

/** Returns the number that stored numbers are compared with in a typed comparison; `undefined` if there is none. */
function comparableNumber(value: Value): number | bigint | undefined {
  return typeof value === 'string' ? parseNumber(value) : typedNumber(value)
}

/**
 * Returns a typed equality test. A stored string is compared as a string. If `wanted` can be read as a number or time,
 * a stored number is compared by value and a stored time by instant; otherwise stored numbers and times are compared as
 * strings.
 */
function typedEquals(wanted: Value, isFolded: boolean): ValuePredicate {
  const byText = equalsText(toText(wanted), isFolded)
  const number = comparableNumber(wanted)
  const timeNs = toTimeNs(wanted)
  return (value) => {
    if (typeof value === 'string') return byText(value)
    if (value instanceof Instant && timeNs !== undefined) return value.ns === timeNs
    const stored = number === undefined ? undefined : typedNumber(value)
    return (stored !== undefined && compareNumbers(stored, present(number)) === 0) || byText(toText(value))
  }
}

/** Returns the words that every equal value contains; none if other spellings of the same number or time also match. */
function needsOfEqual(wanted: Value, isTyped: boolean): readonly WordNeed[] {
  const text = toText(wanted)
  if (isTyped && (parseNumber(text) !== undefined || parseIsoTime(text) !== undefined)) return []
  return needsOfLiteral(text, 'boundary', 'boundary')
}

export const equalsOps: TestOps<ValueTestOf<'equals'>> = {
  text: (test) => equalsText(toText(test.value), test.isFolded),
  value: (test) => {
    if (test.isTyped) return typedEquals(test.value, test.isFolded)
    const byText = equalsText(toText(test.value), test.isFolded)
    return (value) => byText(toText(value))
  },
  words: (test) => needsOfEqual(test.value, test.isTyped),
}

/**
 * Returns a key that is equal for numbers that compare as equal, because large integers can be `number` or `bigint`.
 */
function numberKey(value: number | bigint): number | bigint {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value
}

function inTexts(values: readonly Value[], isFolded: boolean): TextPredicate {
  work(values.length * 4)
  const texts = new Set(values.map((value) => (isFolded ? fold(toText(value)) : toText(value))))
  return isFolded ? (text) => texts.has(fold(text)) : (text) => texts.has(text)
}

export const inOps: TestOps<ValueTestOf<'in'>> = {
  text: (test) => inTexts(test.values, test.isFolded),
  value: (test) => {
    const byText = inTexts(test.values, test.isFolded)
    if (!test.isTyped) return (value) => byText(toText(value))
    const numbers = new Set<number | bigint>()
    const times = new Set<bigint>()
    for (const value of test.values) {
      const number = comparableNumber(value)
      if (number !== undefined) numbers.add(numberKey(number))
      const timeNs = toTimeNs(value)
      if (timeNs !== undefined) times.add(timeNs)
    }
    return (value) => {
      if (typeof value === 'string') return byText(value)
      const number = typedNumber(value)
      if (number !== undefined && numbers.has(numberKey(number))) return true
      return (value instanceof Instant && times.has(value.ns)) || byText(toText(value))
    }
  },
  words: (test) => commonNeeds(test.values.map((value) => needsOfEqual(value, test.isTyped))),
}
