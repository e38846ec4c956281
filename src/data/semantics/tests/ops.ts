import type { Value } from '../../value.ts'
import { toText } from '../../value.ts'

export type TextPredicate = (text: string) => boolean
export type ValuePredicate = (value: Value) => boolean

/** A folded word that every matching value contains; with `isPrefix`, some word starts so. */
export interface WordNeed {
  readonly word: string
  readonly isPrefix: boolean
}

/** What one kind of test means. */
export interface TestOps<T> {
  /** The meaning for values that are text; missing is `''`. */
  readonly text: (test: T) => TextPredicate
  /** The meaning for any value, where it is more than the meaning for the value's text. */
  readonly value?: (test: T) => ValuePredicate
  /** See `wordNeeds`. */
  readonly words?: (test: T) => readonly WordNeed[]
}

/** A test of the value's text. */
export function onText(predicate: TextPredicate): ValuePredicate {
  return (value) => predicate(typeof value === 'string' ? value : toText(value))
}
