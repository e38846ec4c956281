import { formatRfc3339 } from '../base/index.ts'
import { formatNumber } from '../data/index.ts'

export type ParameterScalar = string | number | bigint | boolean | Date
/** Value of a query parameter: one scalar, or a list where the query accepts a list of values. */
export type ParameterValue = ParameterScalar | readonly ParameterScalar[]
/** Parameter values by name, written `$name` in a query. */
export type Parameters = Readonly<Record<string, ParameterValue>>

/** Returns a parameter value as a string; `undefined` if the argument is not a valid parameter value. */
export function parameterText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? value : undefined
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (value instanceof Date && !Number.isNaN(value.getTime()))
    return formatRfc3339(BigInt(value.getTime()) * 1_000_000n)
  return undefined
}

/** Error message for an invalid parameter value: lists the allowed types. */
export const NO_VALUE = 'a value is a text, a number, `true`, `false` or a time, or a list of these'
