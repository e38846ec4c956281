import { MAX_JSON_DEPTH } from '../base/index.ts'
import { integerOfDigits, JsonText, numberOfJson, type Value } from './value.ts'

/** A JSON document whose integers beyond 2^53 are `bigint`. */
export type PlainJson =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly PlainJson[]
  | { readonly [key: string]: PlainJson }

/** A JSON document in which each number keeps its text: numbers that would be written differently are `JsonText`. */
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

/** Whether a value is an object: neither a list nor a number with its text. */
export function isJsonObject(value: ExactJson | undefined): value is ExactJsonObject {
  return (
    value !== null && typeof value === 'object' && !Array.isArray(value) && !((value as object) instanceof JsonText)
  )
}

/** The platform passes the reviver the source text of each number; the library types do not declare it yet. */
type SourceReviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

const LONG_DIGITS = /\d{16}/
const INTEGER = /^-?\d+$/

const keepIntegers: SourceReviver = (_, value, context) => {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && INTEGER.test(source) ? integerOfDigits(source) : value
}

/** Like `JSON.parse`, but no integer is rounded. The slower way is used only when the text has 16 digits in a row. */
export function parseJsonPlain(text: string): PlainJson {
  return LONG_DIGITS.test(text) ? JSON.parse(text, keepIntegers) : JSON.parse(text)
}

/**
 * Matches where a number may be that does not print as it is written: 16 digits or more, a fraction that ends in zero,
 * an exponent, a negative zero. It also matches some strings, which only costs time.
 */
const MAY_LOSE_TEXT =
  /\d{16}|\d[\d.]{16}|(?:^|[:,[\s])-?(?:\d+(?:\.\d*0|(?:\.\d+)?[eE][+-]?\d+)|(?<=-)0)\s*(?:[,\]}]|$)/

const keepText: SourceReviver = (_, value, context) =>
  typeof value === 'number' && context?.source !== undefined ? numberOfJson(context.source) : value

/** Like `JSON.parse`, but each number keeps its text. The slower way is used only when some number may need it. */
export function parseJsonExact(text: string): ExactJson {
  return MAY_LOSE_TEXT.test(text) ? JSON.parse(text, keepText) : JSON.parse(text)
}

/** The text of a JSON document without insignificant blanks; the inverse of `parseJsonExact`. */
export function printJsonExact(value: ExactJson): string {
  if (typeof value === 'bigint') return String(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (value instanceof JsonText) return value.json
  if (Array.isArray(value)) return `[${value.map(printJsonExact).join(',')}]`
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${printJsonExact(member)}`)
  return `{${members.join(',')}}`
}

/** Converts a JSON value to the value of a field: lists and objects stay JSON. */
export function fieldOfJson(value: ExactJson): Value {
  if (value === null || typeof value !== 'object' || value instanceof JsonText) return value
  return new JsonText(printJsonExact(value))
}

/** Returns the position of the quote that ends a string whose content starts at `from`; the length if none does. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === 92) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/** Whether brackets outside strings are nested deeper than `limit`, so that no recursive reader overflows the stack. */
export function isTooDeep(text: string, limit = MAX_JSON_DEPTH): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // Strings may be megabytes long; the search for a quote is the runtime's.
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
 * Puts `NaN` and infinities in quotes, which many programs write although JSON has no such numbers. Takes time linear
 * in the text.
 */
export function quoteNonNumbers(text: string): string {
  return text.replaceAll(STRINGS_AND_NON_NUMBERS, (token) => (token.startsWith('"') ? token : `"${token}"`))
}
