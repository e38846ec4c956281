import { formatRfc3339 } from '../base/index.ts'
import { formatNumber } from '../data/index.ts'

export type ParameterScalar = string | number | bigint | boolean | Date
/** A parameter value; a list is allowed where a query has a list of values. */
export type ParameterValue = ParameterScalar | readonly ParameterScalar[]
/** Parameter values by name, written `$name` in a query. */
export type Parameters = Readonly<Record<string, ParameterValue>>

/** Text of a parameter value; `undefined` for other values. */
export function parameterText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? value : undefined
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (value instanceof Date && !Number.isNaN(value.getTime()))
    return formatRfc3339(BigInt(value.getTime()) * 1_000_000n)
  return undefined
}

/** Explains which values are allowed. */
export const NO_VALUE = 'a value is a text, a number, `true`, `false` or a time, or a list of these'
