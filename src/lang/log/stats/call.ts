import type { Span } from '../../../base/index.ts'
import type { StatsFunction } from '../../../functions/index.ts'
import { statsFunctions } from '../../../functions/stats/index.ts'
import type { FieldRef, Filter, TextValue } from '../ast.ts'

export interface SortField {
  readonly field: FieldRef
  readonly isDescending: boolean
}

/** `fn(args) [sort by (…)] [limit N] [offset N]`. */
export interface StatsCall {
  /** In lower case. */
  readonly name: string
  readonly params: readonly TextValue[]
  /** Empty: all fields, or none for functions without arguments. */
  readonly args: readonly FieldRef[]
  readonly order: readonly SortField[]
  readonly limit: number | undefined
  readonly offset: number | undefined
  /** Span of the name. */
  readonly nameSpan: Span
  readonly span: Span
}

export interface GroupBy {
  readonly field: FieldRef
  readonly bucket: TextValue | undefined
  readonly offset: TextValue | undefined
  readonly zone: TextValue | undefined
  /** Adds rows for empty buckets; `value` is their result, missing by default. */
  readonly fill: { readonly value: TextValue | undefined } | undefined
}

export interface SwitchCase {
  /** Missing for `default`. */
  readonly filter: Filter | undefined
  readonly name: FieldRef
}

/** One result, or one for each of `cases`. */
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

/** `[by (…)] fn(…) [as] name, …` of `running_stats` and `total_stats`. */
export interface RunningBody {
  readonly by: readonly FieldRef[]
  readonly results: readonly RunningResult[]
}

/** Type of a literal: a number or a quoted string. */
export type LiteralType = 'string' | 'number'

/** Syntax of a call; its computation is defined with the function. */
export interface StatsForm {
  /** Number of literal parameters before the fields. */
  readonly params: number
  /** Types of the literals. Default: a fraction from 0 to 1. */
  readonly literals?: readonly LiteralType[]
  readonly minArgs: number
  readonly maxArgs: number
  readonly takesPatterns: boolean
  /** True if `fn()` means `fn(*)`; else no fields are no fields. */
  readonly isAllByDefault: boolean
  readonly takesLimit: boolean
  readonly takesOrder: boolean
  readonly takesOffset: boolean
}

/** Syntax of the stats functions, by name in lower case. */
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

/** How the functions of the `stats` pipe are written. */
export const statsForms: StatsForms = formsOf(written.filter(({ form }) => form?.isRunningOnly !== true))

/** What `running_stats` takes. */
export const runningNames: readonly string[] = ['count', 'first', 'last', 'max', 'min', 'sum']

/** The native `total_stats` accepts every function. */
export const runningForms: StatsForms = formsOf(written)

/** A function that is known only by name may be called in any form. */
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

/** Syntax of a user's function. */
export function userForm(
  literals: readonly LiteralType[],
  { minArgs, maxArgs }: { readonly minArgs: number; readonly maxArgs: number },
): StatsForm {
  const form = { ...openForm, takesPatterns: false, takesLimit: false, takesOrder: false }
  return { ...form, params: literals.length, literals, minArgs, maxArgs }
}
