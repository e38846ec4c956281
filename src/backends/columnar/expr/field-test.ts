import type { ValueTest } from '../../../data/index.ts'
import type { Frame } from '../frame.ts'
import type { Counters } from './counters.ts'
import { isEmptyMask } from './mask.ts'
import type { Predicate } from './predicate.ts'
import { ColumnTest } from './test-column.ts'
import { WordLookup, type WordTest } from './word-lookup.ts'
import { WordPart } from './word-part.ts'

/** A test of one field: by the word index where the field has one, then by its values. */
export function fieldTest(name: string, valueTest: ValueTest, counters: Counters): Predicate {
  const test = new ColumnTest(valueTest, counters)
  const lookup: WordTest | undefined = WordLookup.of(valueTest, counters) ?? WordPart.of(valueTest, counters)
  const wordsOf = (frame: Frame) =>
    frame.segment?.textField === name && frame.has(name) ? frame.segment.words : undefined
  return {
    narrow: (frame, mask) => {
      const words = lookup === undefined ? undefined : wordsOf(frame)
      if (lookup !== undefined && words !== undefined) {
        if (lookup.narrow(words, mask) || isEmptyMask(mask)) return
      }
      const stored = frame.has(name) ? frame.segment?.columns.get(name) : undefined
      if (stored === undefined) test.narrow(frame.column(name), mask)
      else test.narrowStored(stored, mask)
    },
    tests: [{ name, test }],
    isDecidedByTests: true,
    isNone: (frame) => {
      const words = lookup === undefined ? undefined : wordsOf(frame)
      if (words !== undefined && lookup?.isNone(words) === true) return true
      return frame.segment !== undefined && frame.has(name) && test.isNone(frame.segment.columns.get(name))
    },
    cost: (frame) => {
      if (lookup !== undefined && wordsOf(frame) !== undefined) return lookup.cost
      return test.cost(frame.column(name))
    },
    count: (frame) => {
      const words = lookup === undefined ? undefined : wordsOf(frame)
      return words === undefined ? test.count(frame, name) : lookup?.count(words)
    },
  }
}
