import type { Interval } from '../base/index.ts'
import type { Value } from './value.ts'

/**
 * A predicate on one value: the leaf of every filter. Total and two-valued: each test answers yes or no for every
 * value, missing included. `isFolded` compares under the one case-folding table.
 * What each test means is defined once, in `semantics/tests`.
 */
export type ValueTest =
  /** Missing or `''`. */
  | { readonly kind: 'empty' }
  /** Whole value equal. A stored number or bool compares typed, a stored text as text (L28). `isTyped: false`: always by text. */
  | { readonly kind: 'equals'; readonly value: Value; readonly isFolded: boolean; readonly isTyped: boolean }
  /** `equals` to one of the values; an empty list holds for nothing. */
  | { readonly kind: 'in'; readonly values: readonly Value[]; readonly isFolded: boolean; readonly isTyped: boolean }
  /** The text occurs and is not cut inside a word at an end that is a word character. `''` holds for empty values only. */
  | { readonly kind: 'phrase'; readonly text: string; readonly isFolded: boolean }
  /** As `phrase`, but the right end may be inside a word. `''` holds for every non-empty value. */
  | { readonly kind: 'phrase-prefix'; readonly text: string; readonly isFolded: boolean }
  /** The whole value starts so. `''` holds for every non-empty value. */
  | { readonly kind: 'starts-with'; readonly text: string; readonly isFolded: boolean }
  /** Occurs anywhere. `''` holds for every value. */
  | { readonly kind: 'contains'; readonly text: string; readonly isFolded: boolean }
  /** Whole-value wildcard: literal parts with "any text" between; `['', 'a']` is `*a`. At least two parts. */
  | { readonly kind: 'glob'; readonly parts: readonly string[]; readonly isFolded: boolean }
  /** Unanchored RE2. */
  | { readonly kind: 'regexp'; readonly pattern: string; readonly isFolded: boolean }
  /** Number range under the coercion chain; values that are not numbers never match. */
  | {
      readonly kind: 'range'
      readonly min: number | bigint
      readonly max: number | bigint
      readonly isMinIncluded: boolean
      readonly isMaxIncluded: boolean
      /** Texts pass that look like the beginning of a number, whatever it is: what is left is tested elsewhere. */
      readonly isLoose?: true
    }
  /** Comparison by code point of the text form. */
  | { readonly kind: 'compare-text'; readonly op: 'lt' | 'le' | 'gt' | 'ge'; readonly text: string }
  /** `min <= text < max` by code point; `undefined` is not a bound. */
  | { readonly kind: 'string-range'; readonly min: string; readonly max: string }
  /** Value as a time inside the interval. */
  | { readonly kind: 'time-range'; readonly range: Interval }
  /** The phrases occur in this order without overlap; an empty list holds for every value. */
  | { readonly kind: 'sequence'; readonly phrases: readonly string[]; readonly isFolded: boolean }
  /** Every phrase occurs; an empty list holds for every value, and `''` occurs in every value. */
  | { readonly kind: 'contains-all'; readonly phrases: readonly string[]; readonly isFolded: boolean }
  /** At least one phrase occurs; an empty list holds for nothing, and `''` occurs in every value. */
  | { readonly kind: 'contains-any'; readonly phrases: readonly string[]; readonly isFolded: boolean }
  /** One of the long tail, by name and literal arguments: `len-range`, `ipv4-range`, `pattern-match`, `day-range` … */
  | { readonly kind: 'named'; readonly name: string; readonly args: readonly Value[] }

export type ValueTestKind = ValueTest['kind']
export type ValueTestOf<K extends ValueTestKind> = Extract<ValueTest, { kind: K }>
