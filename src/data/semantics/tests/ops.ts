import type { Value } from '../../value.ts'
import { toText } from '../../value.ts'

export type TextPredicate = (text: string) => boolean
export type ValuePredicate = (value: Value) => boolean

/** A lower-case word that every matching value contains; with `isPrefix` some word starts with it. */
export interface WordNeed {
  readonly word: string
  readonly isPrefix: boolean
}

/** The definition of one kind of test. */
export interface TestOps<T> {
  /** The test for texts; missing is `''`. */
  readonly text: (test: T) => TextPredicate
  /** The test for any value, when it differs from the test of the value's text. */
  readonly value?: (test: T) => ValuePredicate
  /** See `wordNeeds`. */
  readonly words?: (test: T) => readonly WordNeed[]
}

/** A test of the value's text. */
export function onText(predicate: TextPredicate): ValuePredicate {
  return (value) => predicate(typeof value === 'string' ? value : toText(value))
}
