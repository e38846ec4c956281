import { z } from 'zod'
import { nowhere, parseRfc3339 } from '../base/index.ts'
import { describeValue } from './excerpt.ts'
import { raise, type IssueSink } from './issues.ts'
import { wireDiagnostic } from './diagnostics.ts'

/**
 * Returns a schema of a string, which may be empty. Empty optional strings never reach the schema: tidying removes
 * them.
 */
export const text = (): z.ZodString => z.string()

type Takes = (value: unknown) => boolean

/** String schemas that also accept values of other types, each with a test for those values. */
const alsoTaken = new WeakMap<z.core.$ZodType, Takes>()

function textOr(takes: Takes): z.ZodString {
  const schema = z.string()
  alsoTaken.set(schema, takes)
  return schema
}

const isNumber: Takes = (value) => typeof value === 'number' || typeof value === 'bigint'

/** Returns a schema of a string that some bodies send as a number; decodes to a string. */
export const textOrNumber = (): z.ZodString => textOr(isNumber)

/** Returns a schema of a string that some bodies send as an integer; decodes to a string. */
export const textOrInteger = (): z.ZodString =>
  textOr((value) => typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value)))

/**
 * Returns a schema of a string that some bodies send as a number or boolean. Only for members whose value Sluice
 * ignores.
 */
export const textOrScalar = (): z.ZodString => textOr((value) => typeof value === 'boolean' || isNumber(value))

export function isTakenAsText(schema: z.core.$ZodType, value: unknown): boolean {
  return alsoTaken.get(schema)?.(value) ?? false
}

/** Returns a schema of a name, which must not be empty. */
export const name = (): z.ZodString => z.string().min(1)

/** Returns a schema of a whole number from `min` to `max`. */
export const integer = (min: number, max = Number.MAX_SAFE_INTEGER): z.ZodNumber => z.number().int().min(min).max(max)

/** A word of a fixed list; tidying accepts any case and surrounding blanks. */
export const word = <const W extends readonly [string, ...string[]]>(words: W): z.ZodEnum<{ [K in W[number]]: K }> =>
  z.enum(words)

/** Returns a schema of any JSON value. Integers beyond 2^53 are `bigint`. */
export const anyJson = (): z.ZodUnknown => z.unknown()

/** An object with user-defined member names; decoded to a `Map`, so that no name is special. */
export const mapOf = <V extends z.ZodType>(value: V): z.ZodMap<z.ZodString, V> => z.map(z.string(), value)

/** Refuses an object whose time `start` is after its time `end`; with `strictly`, also if they are equal. */
export const inOrder =
  <A extends string, B extends string>(start: A, end: B, strictly = false) =>
  (value: { readonly [K in A | B]?: bigint | undefined }, context: IssueSink): void => {
    const startNs = value[start]
    const endNs = value[end]
    if (startNs === undefined || endNs === undefined || startNs < endNs || (startNs === endNs && !strictly)) return
    raise(context, wireDiagnostic('range-reversed', { start, end, strictly }, nowhere), [end])
  }

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/
const TO_THE_MINUTE = /^(\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2})([Zz]|[+-]\d{2}:?\d{2})?$/
const COMPACT_OFFSET = /([+-]\d{2})(\d{2})$/
const HAS_ZONE = /(?:[Zz]|[+-]\d{2}:?\d{2})$/

/**
 * Parses a time to ns since 1970: RFC 3339, or an ISO 8601 form that is a date alone or lacks the seconds, the zone
 * (then UTC) or the colon of the offset. Returns `undefined` for other texts.
 */
export function parseTime(source: string): bigint | undefined {
  const trimmed = source.trim()
  if (DATE_ONLY.test(trimmed)) return parseRfc3339(`${trimmed}T00:00:00Z`)
  const seconds = trimmed.replace(TO_THE_MINUTE, '$1:00$2')
  const zoned = HAS_ZONE.test(seconds.slice(10)) ? seconds.replace(COMPACT_OFFSET, '$1:$2') : `${seconds}Z`
  return parseRfc3339(zoned)
}

/** Returns a schema of a time; decodes to nanoseconds since 1970. */
export const instant = () =>
  z
    .string()
    .meta({ format: 'date-time' })
    .transform((source, context): bigint => {
      const ns = parseTime(source)
      if (ns !== undefined) return ns
      return raise(context, wireDiagnostic('bad-time', { found: describeValue(source), mayBeRelative: false }, nowhere))
    })

const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/

export function isUuid(source: string): boolean {
  return UUID.test(source)
}

/** Returns a schema of a UUID of any version; decodes to lower case. */
export const uuid = () =>
  z
    .string()
    .meta({ format: 'uuid' })
    .transform((source, context): string => {
      if (isUuid(source)) return source.toLowerCase()
      const data = { expected: 'a UUID', found: describeValue(source) }
      return raise(context, wireDiagnostic('bad-format', data, nowhere))
    })
