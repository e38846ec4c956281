import type { Span } from '../../../base/index.ts'
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
  /** Empty: all fields, or none where the function takes none. */
  readonly args: readonly FieldRef[]
  readonly order: readonly SortField[]
  readonly limit: number | undefined
  readonly offset: number | undefined
  /** Of the name alone. */
  readonly nameSpan: Span
  readonly span: Span
}

export interface GroupBy {
  readonly field: FieldRef
  readonly bucket: TextValue | undefined
  readonly offset: TextValue | undefined
  readonly zone: TextValue | undefined
  /** Empty buckets of a time become rows; the value of their results, if not missing. */
  readonly fill: { readonly value: TextValue | undefined } | undefined
}

export interface SwitchCase {
  /** Missing for `default`. */
  readonly filter: Filter | undefined
  readonly name: FieldRef
}

/** One result, or with `cases` one for each case. */
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

/** A literal in a call: a number, or a text in quotes. */
export type LiteralType = 'string' | 'number'

/** How a call is written; what it computes stands with the function. */
export interface StatsForm {
  /** Literal parameters in front of the fields. */
  readonly params: number
  /** What they are; a share from 0 to 1 unless it is said. */
  readonly literals?: readonly LiteralType[]
  readonly minArgs: number
  readonly maxArgs: number
  readonly takesPatterns: boolean
  /** `fn()` means `fn(*)`; otherwise no fields are no fields. */
  readonly isAllByDefault: boolean
  readonly takesLimit: boolean
  readonly takesOrder: boolean
  readonly takesOffset: boolean
}

/** Forms by name in lower case. */
export type StatsForms = ReadonlyMap<string, StatsForm>

const fields: StatsForm = {
  params: 0,
  minArgs: 0,
  maxArgs: Infinity,
  takesPatterns: true,
  isAllByDefault: true,
  takesLimit: false,
  takesOrder: false,
  takesOffset: false,
}
const collecting: StatsForm = { ...fields, takesLimit: true }
const distinct: StatsForm = { ...fields, takesPatterns: false, takesLimit: true }
const phi: StatsForm = { ...fields, params: 1, isAllByDefault: false }
const keyed: StatsForm = { ...fields, minArgs: 1, isAllByDefault: false }
const exactly = (count: number): StatsForm => ({
  ...fields,
  minArgs: count,
  maxArgs: count,
  takesPatterns: false,
  isAllByDefault: false,
})

/** How the functions of the `stats` pipe are written. */
export const statsForms: StatsForms = new Map<string, StatsForm>([
  ['any', exactly(1)],
  ['avg', fields],
  ['count', fields],
  ['count_empty', fields],
  ['count_uniq', distinct],
  ['count_uniq_approx', distinct],
  ['count_uniq_hash', distinct],
  ['field_max', exactly(2)],
  ['field_min', exactly(2)],
  ['histogram', exactly(1)],
  ['json_values', { ...collecting, takesOrder: true }],
  ['max', fields],
  ['median', fields],
  ['min', fields],
  ['pattern', { ...collecting, minArgs: 1, maxArgs: 1, takesPatterns: false }],
  ['quantile', phi],
  ['quantile_approx', phi],
  ['rate', exactly(0)],
  ['rate_sum', fields],
  ['row_any', fields],
  ['row_max', keyed],
  ['row_min', keyed],
  ['stddev', fields],
  ['sum', fields],
  ['sum_len', fields],
  ['uniq_values', collecting],
  ['values', collecting],
])

const single: StatsForm = { ...exactly(1), takesOffset: true }

/** How the functions of `running_stats` and `total_stats` are written. */
const runningOwn: StatsForms = new Map<string, StatsForm>([
  ['count', fields],
  ['first', single],
  ['last', single],
  ['max', fields],
  ['min', fields],
  ['sum', fields],
])

/** What `running_stats` takes. */
export const runningNames: readonly string[] = [...runningOwn.keys()]

/** The native `total_stats` takes every function. */
export const runningForms: StatsForms = new Map<string, StatsForm>([...statsForms, ...runningOwn])

/** A function known by name only may be written in every way. */
export const openForm: StatsForm = { ...collecting, takesOrder: true, isAllByDefault: false }

/** How a function of a user is written. */
export function userForm(
  literals: readonly LiteralType[],
  { minArgs, maxArgs }: { readonly minArgs: number; readonly maxArgs: number },
): StatsForm {
  const form = { ...fields, takesPatterns: false, isAllByDefault: false }
  return { ...form, params: literals.length, literals, minArgs, maxArgs }
}
