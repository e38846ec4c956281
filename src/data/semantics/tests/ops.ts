import type { Value } from '../../value.ts'
import { toText } from '../../value.ts'

export type TextPredicate = (text: string) => boolean
export type ValuePredicate = (value: Value) => boolean

/** A lower-case word that every matching value contains. With `isPrefix`, some word must start with it. */
export interface WordNeed {
  readonly word: string
  readonly isPrefix: boolean
}

/** The operations of one kind of test. */
export interface TestOps<T> {
  /** Returns the test for strings. `''` also represents a missing value. */
  readonly text: (test: T) => TextPredicate
  /** Returns the test for any value. Missing if it equals the test of the value's string form. */
  readonly value?: (test: T) => ValuePredicate
  /** Returns the words of `wordNeeds` for this test. Missing if no words are certain. */
  readonly words?: (test: T) => readonly WordNeed[]
}

/** Returns a test that is applied to the value's string form. */
export function onText(predicate: TextPredicate): ValuePredicate {
  return (value) => predicate(typeof value === 'string' ? value : toText(value))
}
