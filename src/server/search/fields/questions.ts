import { nowhere } from '../../../base/index.ts'
import { field } from '../../../data/index.ts'
import { MAX_FACET_CHARS, MAX_FACET_VALUES } from '../../../functions/index.ts'
import { column, countRows, fieldPattern, not, test, type Expr, type LogicalPlan } from '../../../plan/index.ts'

const origin = nowhere
const everyField = { parts: ['', ''] } as const

const count = countRows(origin)

/** Fields with the number of rows that have each. */
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

/** The `limit` most frequent values of a field. */
export function valuesOf(input: LogicalPlan, name: string, containing: string | undefined, limit: number): LogicalPlan {
  const has: Expr = not(test(column(name), { kind: 'empty' }))
  const wanted: Expr =
    containing === undefined ? has : test(column(name), { kind: 'contains', text: containing, isFolded: true })
  const groups: LogicalPlan = {
    kind: 'aggregate',
    input: { kind: 'filter', input, predicate: wanted, origin },
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

/** Returns a plan for the most frequent values of every field. */
export function facetsOf(input: LogicalPlan, limit: number): LogicalPlan {
  const names = ['field_name', 'field_value', 'hits']
  return {
    kind: 'table-apply',
    input,
    fn: 'facets',
    params: { limit, maxValuesPerField: MAX_FACET_VALUES, maxValueLength: MAX_FACET_CHARS, keepsConstants: true },
    use: { reads: [everyField], writes: names.map((name) => fieldPattern(name)), replaces: [] },
    outputs: [field('field_name', 'string'), field('field_value'), field('hits', 'integer')],
    keepsInputFields: false,
    origin,
  }
}

/** Number of rows by time step, and by value of a field if one is named. */
export function hitsOf(input: LogicalPlan, timeField: string, stepNs: bigint, by: string | undefined): LogicalPlan {
  const time: Expr = {
    kind: 'bucket',
    arg: column(timeField),
    bucket: { kind: 'time', widthNs: stepNs, offsetNs: 0n, zone: undefined },
    origin,
  }
  const keys = [{ name: 'at', expr: time, type: 'time' as const }]
  return {
    kind: 'aggregate',
    input,
    keys: by === undefined ? keys : [...keys, { name: 'value', expr: column(by), type: 'any' }],
    aggregates: [{ name: 'hits', call: count, type: 'integer' }],
    origin,
  }
}
