import { nowhere } from '../../../base/index.ts'
import { field } from '../../../data/index.ts'
import { MAX_FACET_CHARS, MAX_FACET_VALUES } from '../../../functions/index.ts'
import { column, countRows, fieldPattern, not, test, type Expr, type LogicalPlan } from '../../../plan/index.ts'

const origin = nowhere
const everyField = { parts: ['', ''] } as const

const count = countRows(origin)

/** Returns a plan that lists fields with the number of rows that have each. */
export function namesOf(input: LogicalPlan, containing: string | undefined): LogicalPlan {
  return {
    kind: 'table-apply',
    input,
    fn: 'field_names',
    params: { into: 'name', hits: 'hits', containing: containing ?? null },
    use: { reads: [everyField], writes: ['name', 'hits'].map((name) => fieldPattern(name)), replaces: [] },
    outputs: [field('name', 'string'), field('hits', 'integer')],
    keepsInputFields: false,
    origin,
  }
}

/** Returns a plan for the `limit` most frequent values of a field; without a limit, all values. */
export function valuesOf(
  input: LogicalPlan,
  name: string,
  containing: string | undefined,
  limit: number | undefined,
): LogicalPlan {
  // Every row has a stream, so rows are counted without computing the stream's name.
  const isOfEvery = name === '_stream' || name === '_stream_id'
  const has: Expr = not(test(column(name), { kind: 'empty' }))
  const wanted: Expr =
    containing === undefined ? has : test(column(name), { kind: 'contains', text: containing, isFolded: true })
  const rows: LogicalPlan =
    isOfEvery && containing === undefined ? input : { kind: 'filter', input, predicate: wanted, origin }
  const groups: LogicalPlan = {
    kind: 'aggregate',
    input: rows,
    keys: [{ name: 'value', expr: column(name), type: 'any' }],
    aggregates: [{ name: 'hits', call: count, type: 'integer' }],
    origin,
  }
  return {
    kind: 'sort',
    input: groups,
    keys: [{ expr: column('hits'), direction: 'desc' }],
    offset: 0,
    limit,
    partitionBy: [],
    rankName: undefined,
    origin,
  }
}

/** Limits that decide which fields are facets. */
export interface FacetLimits {
  /** Maximum number of values of a field; fields with more are left out. */
  readonly maxValuesPerField: number
  /** Maximum length of a value, bytes of UTF-8; fields with longer values are left out. */
  readonly maxValueLength: number
  /** True to include fields that have the same value in all rows. */
  readonly keepsConstants: boolean
}

const usualFacets: FacetLimits = {
  maxValuesPerField: MAX_FACET_VALUES,
  maxValueLength: MAX_FACET_CHARS,
  keepsConstants: true,
}

/** Returns a plan for the most frequent values of every field. */
export function facetsOf(input: LogicalPlan, limit: number, limits = usualFacets): LogicalPlan {
  const names = ['field_name', 'field_value', 'hits']
  return {
    kind: 'table-apply',
    input,
    fn: 'facets',
    params: { limit, ...limits },
    use: { reads: [everyField], writes: names.map((name) => fieldPattern(name)), replaces: [] },
    outputs: [field('field_name', 'string'), field('field_value'), field('hits', 'integer')],
    keepsInputFields: false,
    origin,
  }
}

/** Returns an expression for the time step that a row belongs to. */
export function stepOf(timeField: string, widthNs: bigint, offsetNs = 0n, at = origin): Expr {
  const bucket = { kind: 'time', widthNs, offsetNs, zone: undefined } as const
  return { kind: 'bucket', arg: column(timeField), bucket, origin: at }
}

/** Returns a plan that counts rows by time step and, if given, by value of a field. */
export function hitsOf(input: LogicalPlan, timeField: string, stepNs: bigint, by: string | undefined): LogicalPlan {
  const time = stepOf(timeField, stepNs)
  const keys = [{ name: 'at', expr: time, type: 'time' as const }]
  return {
    kind: 'aggregate',
    input,
    keys: by === undefined ? keys : [...keys, { name: 'value', expr: column(by), type: 'any' }],
    aggregates: [{ name: 'hits', call: count, type: 'integer' }],
    origin,
  }
}
