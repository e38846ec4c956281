import { JsonText, scalarOf, toRangeNumber, toText, type Row, type Value } from '../../data/index.ts'
import { failFunction } from '../diagnostics.ts'

/** Types of the arguments that a user-defined function receives. `any` is the stored value. */
export interface ArgumentTypes {
  readonly any: Value
  /** The value as a string; `''` if it is missing. */
  readonly string: string
  /** The value of a number, duration (ns), size (bytes) or time (ns since 1970); NaN for other values. */
  readonly number: number
  readonly bool: boolean
}

export type ArgumentType = keyof ArgumentTypes

export function argumentAs(type: ArgumentType, value: Value): ArgumentTypes[ArgumentType] {
  switch (type) {
    case 'any':
      return value
    case 'string':
      return toText(value)
    case 'number':
      return Number(toRangeNumber(value) ?? NaN)
    case 'bool':
      return value === true || toText(value) === 'true'
  }
}

function oddity(given: unknown): string {
  if (given instanceof Promise) return 'a promise; functions answer at once'
  return typeof given === 'object' ? 'an object that JSON cannot hold' : `a ${typeof given}`
}

function jsonOf(given: object): JsonText | undefined {
  if (given instanceof Promise) return undefined
  try {
    const json: unknown = JSON.stringify(given)
    return typeof json === 'string' ? new JsonText(json) : undefined
  } catch {
    return undefined
  }
}

/**
 * Converts the result of a user-defined function to a value: `undefined` becomes missing, a `Date` a time, and a list
 * or object JSON. Throws `function/failed` for other types.
 */
export function valueFrom(name: string, given: unknown): Value {
  if (given === undefined) return null
  const scalar = scalarOf(given)
  if (scalar !== undefined) return scalar
  const json = typeof given === 'object' && given !== null ? jsonOf(given) : undefined
  return json ?? failFunction(name, `it gave ${oddity(given)}`)
}

/** A row as user-defined functions receive it. */
export type PlainRow = Readonly<Record<string, unknown>>

export function plainRow(row: Row, fields?: readonly string[]): Record<string, Value> {
  return Object.fromEntries(fields === undefined ? row : fields.map((name) => [name, row.get(name) ?? null]))
}

export function rowFrom(name: string, given: unknown): Map<string, Value> {
  if (typeof given !== 'object' || given === null || Array.isArray(given) || given instanceof Promise) {
    failFunction(name, `it gave ${Array.isArray(given) ? 'a list' : oddity(given)} where a row stands`)
  }
  return new Map(Object.entries(given).map(([field, value]) => [field, valueFrom(name, value)]))
}

/** Runs user code. Errors that it throws become `function/failed`. */
export function guarded<T>(name: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    return failFunction(name, error instanceof Error ? error.message : String(error))
  }
}
