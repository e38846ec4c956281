import { Instant, JsonText, type Value, type ValueTest } from '../../../data/index.ts'
import type { StatsContext } from '../../../functions/index.ts'
import type { AggregateCall, Expr, FieldPattern } from '../../../plan/index.ts'

/** SQL representation of a value that is passed between SQL and host functions. */
export type Form =
  /** Any value, encoded by `encodeValue`. */
  | 'any'
  /** TEXT or NULL. */
  | 'text'
  /** INTEGER, or REAL other than NaN, or NULL. */
  | 'number'
  /** INTEGER nanoseconds, or NULL. */
  | 'time'
  /** 0 or 1, never NULL. */
  | 'bool'

/**
 * The computation of a host function, as plain data that can be sent to another process. Its result depends only on its
 * arguments.
 */
export type Program =
  /**
   * Tests a value. With `restKey`, the argument is the text of the undeclared fields, and the field with this name is
   * tested.
   */
  | { readonly kind: 'test'; readonly test: ValueTest; readonly form: Form; readonly restKey: string | undefined }
  /** Computes an expression from the values of the named columns, which are the arguments in this order. */
  | {
      readonly kind: 'expr'
      readonly expr: Expr
      readonly columns: readonly string[]
      readonly forms: readonly Form[]
      readonly result: Form
    }
  /** Tests whether at least one undeclared field passes a test. */
  | {
      readonly kind: 'any-field'
      readonly fields: FieldPattern
      readonly except: readonly string[]
      readonly hidden: readonly FieldPattern[]
      readonly test: ValueTest
    }
  /**
   * Combines the members of JSON columns into the text of undeclared fields. `prefixes` are prepended to the names;
   * names in `declared` are omitted.
   */
  | { readonly kind: 'rest'; readonly prefixes: readonly string[]; readonly declared: readonly string[] }
  /** Returns a member of a JSON column. */
  | { readonly kind: 'member'; readonly path: readonly string[] }
  | {
      readonly kind: 'stats'
      readonly call: Pick<AggregateCall, 'fn' | 'params' | 'limit'>
      readonly argNames: readonly string[]
      readonly orderDirections: readonly ('asc' | 'desc')[]
      readonly context: StatsContext
      readonly forms: readonly Form[]
    }

interface Tagged {
  readonly $value: 'time' | 'json'
  readonly of: bigint | string
}

/**
 * Returns a deep copy as plain data: times and JSON values become plain objects. Names that a user chose never become
 * keys of objects.
 */
export function toPlain(data: unknown): unknown {
  if (data instanceof Instant) return { $value: 'time', of: data.ns } satisfies Tagged
  if (data instanceof JsonText) return { $value: 'json', of: data.json } satisfies Tagged
  if (Array.isArray(data)) return data.map(toPlain)
  if (data === null || typeof data !== 'object' || data instanceof Uint8Array) return data
  return Object.fromEntries(Object.entries(data).map(([key, member]) => [key, toPlain(member)]))
}

function isTagged(data: object): data is Tagged {
  return '$value' in data
}

export function fromPlain(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(fromPlain)
  if (data === null || typeof data !== 'object' || data instanceof Uint8Array) return data
  if (isTagged(data)) {
    const value: Value = typeof data.of === 'bigint' ? new Instant(data.of) : new JsonText(data.of)
    return value
  }
  return Object.fromEntries(Object.entries(data).map(([key, member]) => [key, fromPlain(member)]))
}
