import { MAX_JSON_DEPTH } from '../base/index.ts'
import { integerOfDigits, JsonText, numberOfJson, type Value } from './value.ts'

/** A parsed JSON document. Integers beyond 2^53 are `bigint`. */
export type PlainJson =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly PlainJson[]
  | { readonly [key: string]: PlainJson }

/**
 * A parsed JSON document that can be printed unchanged: a number that would print differently from its source is a
 * `JsonText`.
 */
export type ExactJson =
  | null
  | boolean
  | number
  | bigint
  | string
  | JsonText
  | readonly ExactJson[]
  | { readonly [key: string]: ExactJson }

export type ExactJsonObject = { readonly [key: string]: ExactJson }

/** Returns whether a value is an object, not a list or `JsonText`. */
export function isJsonObject(value: ExactJson | undefined): value is ExactJsonObject {
  return (
    value !== null && typeof value === 'object' && !Array.isArray(value) && !((value as object) instanceof JsonText)
  )
}

/** The runtime passes the source of each number to the reviver. The library types do not declare this parameter yet. */
type SourceReviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

const LONG_DIGITS = /\d{16}/
const INTEGER = /^-?\d+$/

const keepIntegers: SourceReviver = (_, value, context) => {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && INTEGER.test(source) ? integerOfDigits(source) : value
}

/** Like `JSON.parse`, but integers are not rounded. The slow path is used only if the source has 16 digits in a row. */
export function parseJsonPlain(text: string): PlainJson {
  return LONG_DIGITS.test(text) ? JSON.parse(text, keepIntegers) : JSON.parse(text)
}

/**
 * Matches source in which some number may print differently: 16 or more digits, a fraction that ends in zero, an
 * exponent, or a negative zero. A match inside a string only costs time.
 */
const MAY_LOSE_TEXT =
  /\d{16}|\d[\d.]{16}|(?:^|[:,[\s])-?(?:\d+(?:\.\d*0|(?:\.\d+)?[eE][+-]?\d+)|(?<=-)0)\s*(?:[,\]}]|$)/

const keepText: SourceReviver = (_, value, context) =>
  typeof value === 'number' && context?.source !== undefined ? numberOfJson(context.source) : value

/** Like `JSON.parse`, but the source of each number is kept. The slow path is used only if some number may need it. */
export function parseJsonExact(text: string): ExactJson {
  return MAY_LOSE_TEXT.test(text) ? JSON.parse(text, keepText) : JSON.parse(text)
}

/** Prints a JSON document without insignificant blanks; the inverse of `parseJsonExact`. */
export function printJsonExact(value: ExactJson): string {
  if (typeof value === 'bigint') return String(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (value instanceof JsonText) return value.json
  if (Array.isArray(value)) return `[${value.map(printJsonExact).join(',')}]`
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${printJsonExact(member)}`)
  return `{${members.join(',')}}`
}

/** Converts a JSON value to a field value. Lists and objects become `JsonText`. */
export function fieldOfJson(value: ExactJson): Value {
  if (value === null || typeof value !== 'object' || value instanceof JsonText) return value
  return new JsonText(printJsonExact(value))
}

/**
 * Returns the position of the quote that ends a string whose content starts at `from`; the length of the source if
 * there is none.
 */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === 92) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/**
 * Returns whether brackets outside strings are nested deeper than `limit`. Recursive readers could overflow the stack
 * on such input.
 */
export function isTooDeep(text: string, limit = MAX_JSON_DEPTH): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // Strings may be megabytes long, so the runtime's own search finds the closing quote.
    if (code === 34) i = endOfString(text, i + 1)
    else if (code === 123 || code === 91) {
      if (++depth > limit) return true
    } else if (code === 125 || code === 93) depth--
  }
  return false
}

/** Matches strings, and outside of them the numbers that JSON cannot express. */
const STRINGS_AND_NON_NUMBERS = /"(?:[^"\\]|\\[^])*"|-?\b(?:NaN|Infinity)\b/g

/**
 * Puts `NaN` and infinities in quotes. Many programs write them although JSON has no such numbers. Takes time linear in
 * the length.
 */
export function quoteNonNumbers(text: string): string {
  return text.replaceAll(STRINGS_AND_NON_NUMBERS, (token) => (token.startsWith('"') ? token : `"${token}"`))
}
