import type { Span } from '../../../base/index.ts'
import type { StatsFunction } from '../../../functions/index.ts'
import { statsFunctions } from '../../../functions/stats/index.ts'
import type { FieldRef, Filter, TextValue } from '../ast.ts'

export interface SortField {
  readonly field: FieldRef
  readonly isDescending: boolean
}

/** A call of a stats function: `fn(args) [sort by (…)] [limit N] [offset N]`. */
export interface StatsCall {
  /** Name of the function, in lower case. */
  readonly name: string
  readonly params: readonly TextValue[]
  /** Field arguments. An empty list means all fields, or none for functions without arguments. */
  readonly args: readonly FieldRef[]
  readonly order: readonly SortField[]
  readonly limit: number | undefined
  readonly offset: number | undefined
  readonly nameSpan: Span
  readonly span: Span
}

export interface GroupBy {
  readonly field: FieldRef
  readonly bucket: TextValue | undefined
  readonly offset: TextValue | undefined
  readonly zone: TextValue | undefined
  /**
   * Set if the query requests rows for empty buckets; `value` is the result in these rows. Default: a missing value.
   */
  readonly fill: { readonly value: TextValue | undefined } | undefined
}

export interface SwitchCase {
  /** Condition of the case; `undefined` for `default`. */
  readonly filter: Filter | undefined
  readonly name: FieldRef
}

/** A named result: one call, or one call for each of `cases`. */
export interface StatsResult {
  readonly call: StatsCall
  readonly condition: Filter | undefined
  readonly cases: readonly SwitchCase[]
  readonly name: FieldRef | undefined
  readonly span: Span
}

export interface StatsBody {
  readonly by: readonly GroupBy[]
  readonly results: readonly StatsResult[]
}

export interface RunningResult {
  readonly call: StatsCall
  readonly condition: Filter | undefined
  readonly name: FieldRef | undefined
}

/** Keys and calls of `running_stats` and `total_stats`: `[by (…)] fn(…) [as] name, …`. */
export interface RunningBody {
  readonly by: readonly FieldRef[]
  readonly results: readonly RunningResult[]
}

/** Type of a literal parameter: a number or a quoted string. */
export type LiteralType = 'string' | 'number'

/** Syntax of a function call. The computation is defined elsewhere, with the function. */
export interface StatsForm {
  /** Number of literal parameters before the fields. */
  readonly params: number
  /** Types of the literal parameters. Default: one number from 0 to 1. */
  readonly literals?: readonly LiteralType[]
  readonly minArgs: number
  readonly maxArgs: number
  readonly takesPatterns: boolean
  /** True if a call without fields, `fn()`, reads all fields; otherwise it reads none. */
  readonly isAllByDefault: boolean
  readonly takesLimit: boolean
  readonly takesOrder: boolean
  readonly takesOffset: boolean
}

/** Syntax of stats functions, by name in lower case. */
export type StatsForms = ReadonlyMap<string, StatsForm>

function formOf({ signature, form = {} }: StatsFunction): StatsForm {
  const { minArgs, maxArgs } = signature
  const params = form.isRunningOnly === true ? 0 : signature.params.length
  const { isAllByDefault = true, takesPatterns = true, takesLimit = false, takesOrder = false } = form
  const isVariadic = maxArgs === Infinity
  return {
    params,
    minArgs: isVariadic && isAllByDefault ? 0 : minArgs,
    maxArgs,
    takesPatterns: isVariadic && takesPatterns,
    isAllByDefault: isVariadic && isAllByDefault && params === 0,
    takesLimit,
    takesOrder,
    takesOffset: form.isRunningOnly === true,
  }
}

const written = statsFunctions.filter(({ name }) => /^\w+$/.test(name))
const formsOf = (functions: readonly StatsFunction[]): StatsForms =>
  new Map(functions.map((each) => [each.name, formOf(each)]))

/** Syntax of the functions that the pipe `stats` can call. */
export const statsForms: StatsForms = formsOf(written.filter(({ form }) => form?.isRunningOnly !== true))

/** Names of the functions that `running_stats` can call. */
export const runningNames: readonly string[] = ['count', 'first', 'last', 'max', 'min', 'sum']

/** Syntax of the functions that `total_stats` can call in the native dialect: all of them. */
export const runningForms: StatsForms = formsOf(written)

/** Syntax of a function that is known by name only: it accepts any arguments. */
export const openForm: StatsForm = {
  params: 0,
  minArgs: 0,
  maxArgs: Infinity,
  takesPatterns: true,
  isAllByDefault: false,
  takesLimit: true,
  takesOrder: true,
  takesOffset: false,
}

/** Returns the syntax of a user-defined function. */
export function userForm(
  literals: readonly LiteralType[],
  { minArgs, maxArgs }: { readonly minArgs: number; readonly maxArgs: number },
): StatsForm {
  const form = { ...openForm, takesPatterns: false, takesLimit: false, takesOrder: false }
  return { ...form, params: literals.length, literals, minArgs, maxArgs }
}
