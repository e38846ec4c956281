import type { Interval } from '../base/index.ts'
import type { Value } from './value.ts'

/**
 * A test of one value: the leaf of every filter. It returns true or false for every value, missing included. `isFolded`
 * ignores case by the one case table. The meaning of each test is defined once, in `semantics/tests`.
 */
export type ValueTest =
  /** Missing or `''`. */
  | { readonly kind: 'empty' }
  /**
   * The whole value is equal. A stored number or bool is compared by type, a stored text as text (L28). With `isTyped:
   * false` always as text.
   */
  | { readonly kind: 'equals'; readonly value: Value; readonly isFolded: boolean; readonly isTyped: boolean }
  /** Equal to one of the values; an empty list matches nothing. */
  | { readonly kind: 'in'; readonly values: readonly Value[]; readonly isFolded: boolean; readonly isTyped: boolean }
  /**
   * The text occurs and is not cut inside a word at an end that is a word character. `''` matches only empty values.
   */
  | { readonly kind: 'phrase'; readonly text: string; readonly isFolded: boolean }
  /** Like `phrase`, but its end may be inside a word. `''` matches every non-empty value. */
  | { readonly kind: 'phrase-prefix'; readonly text: string; readonly isFolded: boolean }
  /** The whole value starts with the text. `''` matches every non-empty value. */
  | { readonly kind: 'starts-with'; readonly text: string; readonly isFolded: boolean }
  /** The text occurs anywhere. `''` matches every value. */
  | { readonly kind: 'contains'; readonly text: string; readonly isFolded: boolean }
  /** The whole value matches literal parts with any text between them; `['', 'a']` is `*a`. At least two parts. */
  | { readonly kind: 'glob'; readonly parts: readonly string[]; readonly isFolded: boolean }
  /** Unanchored RE2. */
  | { readonly kind: 'regexp'; readonly pattern: string; readonly isFolded: boolean }
  /** A range of numbers, after conversion of texts; values that are no numbers never match. */
  | {
      readonly kind: 'range'
      readonly min: number | bigint
      readonly max: number | bigint
      readonly isMinIncluded: boolean
      readonly isMaxIncluded: boolean
      /** Also matches texts that look like the beginning of a number; the rest is tested elsewhere. */
      readonly isLoose?: true
    }
  /** Compares the value's text by code point. */
  | { readonly kind: 'compare-text'; readonly op: 'lt' | 'le' | 'gt' | 'ge'; readonly text: string }
  /** `min <= text < max` by code point; `undefined` means no bound. */
  | { readonly kind: 'string-range'; readonly min: string; readonly max: string }
  /** The value as a time is inside the interval. */
  | { readonly kind: 'time-range'; readonly range: Interval }
  /** The phrases occur in this order without overlap; an empty list matches every value. */
  | { readonly kind: 'sequence'; readonly phrases: readonly string[]; readonly isFolded: boolean }
  /** Every phrase occurs; an empty list matches every value, and `''` occurs in every value. */
  | { readonly kind: 'contains-all'; readonly phrases: readonly string[]; readonly isFolded: boolean }
  /** At least one phrase occurs; an empty list matches nothing, and `''` occurs in every value. */
  | { readonly kind: 'contains-any'; readonly phrases: readonly string[]; readonly isFolded: boolean }
  /** A rare test, by name and literal arguments: `len-range`, `ipv4-range`, `pattern-match`, `day-range` … */
  | { readonly kind: 'named'; readonly name: string; readonly args: readonly Value[] }

export type ValueTestKind = ValueTest['kind']
export type ValueTestOf<K extends ValueTestKind> = Extract<ValueTest, { kind: K }>
