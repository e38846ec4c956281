import { integerOfDigits } from './value.ts'

/** A JSON document whose integers beyond 2^53 are `bigint`. */
export type ExactJson =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly ExactJson[]
  | { readonly [key: string]: ExactJson }

const LONG_DIGITS = /\d{16}/
const INTEGER = /^-?\d+$/

function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value === 0 ? 0 : value
  const source = context?.source
  if (source === undefined || !INTEGER.test(source)) return value
  return integerOfDigits(source)
}

/** Seconds, milliseconds or more since the epoch with as many digits as a float does not have. */
const LONG_TIME = /\d{10}\.\d{6}|\d{13}\.\d{3}|\d{16}\.\d/

/**
 * As `JSON.parse`, but no integer is rounded, and members of these names that are Unix times with a long fraction become the
 * text of their digits. The slow way is taken only when the text has 16 digits in a row, or such a number.
 */
export function parseJsonExact(text: string, timeNames?: ReadonlySet<string>): ExactJson {
  if (timeNames !== undefined && LONG_TIME.test(text)) {
    return JSON.parse(text, (name: string, value: unknown, context?: { source?: string }) => {
      const source = typeof value === 'number' && timeNames.has(name) ? context?.source : undefined
      return source !== undefined && LONG_TIME.test(source) ? source : keepDigits(name, value, context)
    }) as ExactJson
  }
  return LONG_DIGITS.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
}

/** The text of a JSON document without insignificant blanks; the inverse of `parseJsonExact`. */
export function printJsonExact(value: ExactJson): string {
  if (typeof value === 'bigint') return String(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(printJsonExact).join(',')}]`
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${printJsonExact(member)}`)
  return `{${members.join(',')}}`
}
