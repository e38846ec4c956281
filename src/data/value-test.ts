import type { Interval } from '../base/index.ts'
import type { Value } from './value.ts'

/**
 * A test of one value, the leaf of every filter. It is true or false for every value, including a missing one.
 * `isFolded` means that case is ignored, by Sluice's own case table. `semantics/tests` defines the meaning of each
 * test.
 */
export type ValueTest =
  /** The value is missing or `''`. */
  | { readonly kind: 'empty' }
  /**
   * The whole value is equal. A stored number or boolean is compared by type, a stored string as a string (L28 of
   * `grammar/semantics.md`). With `isTyped: false` all are compared as strings.
   */
  | { readonly kind: 'equals'; readonly value: Value; readonly isFolded: boolean; readonly isTyped: boolean }
  /** Equal to one of the values; an empty list matches nothing. */
  | { readonly kind: 'in'; readonly values: readonly Value[]; readonly isFolded: boolean; readonly isTyped: boolean }
  /**
   * The phrase occurs. Where the phrase begins or ends with a word character, that end must not be inside a longer
   * word. `''` matches only empty values.
   */
  | { readonly kind: 'phrase'; readonly text: string; readonly isFolded: boolean }
  /** Like `phrase`, but the end of the phrase may be inside a longer word. `''` matches every non-empty value. */
  | { readonly kind: 'phrase-prefix'; readonly text: string; readonly isFolded: boolean }
  /** The whole value starts with the text. `''` matches every non-empty value. */
  | { readonly kind: 'starts-with'; readonly text: string; readonly isFolded: boolean }
  /** The text occurs anywhere. `''` matches every value. */
  | { readonly kind: 'contains'; readonly text: string; readonly isFolded: boolean }
  /**
   * The whole value consists of the literal parts with any text between them: `['', 'a']` is `*a`. There are at least
   * two parts.
   */
  | { readonly kind: 'glob'; readonly parts: readonly string[]; readonly isFolded: boolean }
  /** The RE2 pattern matches somewhere in the value. */
  | { readonly kind: 'regexp'; readonly pattern: string; readonly isFolded: boolean }
  /**
   * A range of numbers. Strings, times and IPv4 addresses are converted to numbers; values that are not numbers never
   * match.
   */
  | {
      readonly kind: 'range'
      readonly min: number | bigint
      readonly max: number | bigint
      readonly isMinIncluded: boolean
      readonly isMaxIncluded: boolean
      /**
       * Matches every string that looks like the beginning of a number, without conversion. Set if the exact test
       * follows elsewhere.
       */
      readonly isLoose?: true
    }
  /** Compares the value's string form by code point. */
  | { readonly kind: 'compare-text'; readonly op: 'lt' | 'le' | 'gt' | 'ge'; readonly text: string }
  /** `min <= text < max` by code point. */
  | { readonly kind: 'string-range'; readonly min: string; readonly max: string }
  /** The value is a time inside the interval. */
  | { readonly kind: 'time-range'; readonly range: Interval }
  /** The phrases occur in this order without overlap; an empty list matches every value. */
  | { readonly kind: 'sequence'; readonly phrases: readonly string[]; readonly isFolded: boolean }
  /** Every phrase occurs; an empty list matches every value, and `''` occurs in every value. */
  | { readonly kind: 'contains-all'; readonly phrases: readonly string[]; readonly isFolded: boolean }
  /** At least one phrase occurs; an empty list matches nothing, and `''` occurs in every value. */
  | { readonly kind: 'contains-any'; readonly phrases: readonly string[]; readonly isFolded: boolean }
  /** A rarely used test, by name and literal arguments: `len-range`, `ipv4-range`, `pattern-match`, `day-range` … */
  | { readonly kind: 'named'; readonly name: string; readonly args: readonly Value[] }

export type ValueTestKind = ValueTest['kind']
export type ValueTestOf<K extends ValueTestKind> = Extract<ValueTest, { kind: K }>
