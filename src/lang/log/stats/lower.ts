import type { JsonValue } from '../../../base/index.ts'
import { parseNumber, type Bucket, type DataType } from '../../../data/index.ts'
import {
  column,
  disjunction,
  not,
  type Aggregate,
  type AggregateCall,
  type Expr,
  type GroupKey,
  type LogicalPlan,
  type NamedAggregate,
  type SortKey,
} from '../../../plan/index.ts'
import type { FieldRef, Filter } from '../ast.ts'
import type { LowerContext } from '../lower-context.ts'
import { bucketOf } from './bucket.ts'
import { statsForms, type SortField, type StatsCall, type StatsForms } from './call.ts'
import { defaultResultName, printGroupBy } from './print.ts'
import type { GroupBy, StatsBody, StatsResult } from './call.ts'

/** Converts a field argument to a column, or to all columns that match its pattern. */
export function argument(field: FieldRef, context: LowerContext): Expr {
  const origin = context.at(field.span)
  if (field.parts.length === 1) return column(context.name(field), origin)
  return { kind: 'columns', fields: context.pattern(field), origin }
}

export function sortKeys(fields: readonly SortField[], context: LowerContext): readonly SortKey[] {
  return fields.map(({ field, isDescending }) => ({
    expr: column(context.name(field), context.at(field.span)),
    direction: isDescending ? 'desc' : 'asc',
  }))
}

/**
 * Functions of the `logsql` dialect that differ from the native ones: a missing value sorts before all others, and
 * values inside JSON are strings.
 */
const logsqlVariants: ReadonlyMap<string, string> = new Map([
  ['min', 'min-with-empty'],
  ['median', 'quantile-with-empty'],
  ['quantile', 'quantile-with-empty'],
  ...['json_values', 'row_any', 'row_max', 'row_min', 'uniq_values', 'values'].map(
    (name) => [name, `${name}-as-texts`] as const,
  ),
])

/** Lowers a call `fn(args)` to an aggregate. `filter` is the condition of the result's `if` or of a case. */
export function lowerCall(
  call: StatsCall,
  filter: Expr | undefined,
  context: LowerContext,
  forms: StatsForms = statsForms,
): AggregateCall {
  const origin = context.at(call.span)
  // `count()` counts rows; for functions with `isAllByDefault`, no fields means all fields.
  const form = forms.get(call.name)
  const takesAll = form !== undefined && (form.isAllByDefault || form.params > 0)
  const isAll = call.args.length === 0 && call.name !== 'count' && takesAll
  const all: Expr = { kind: 'columns', fields: { parts: ['', ''] }, origin }
  const written = call.args.map((field) => argument(field, context))
  // `row_max(key)` and `row_min(key)` with no further fields return the whole row.
  const isWholeRow = written.length === 1 && (call.name === 'row_max' || call.name === 'row_min')
  const args: readonly Expr[] = isAll ? [all] : isWholeRow ? [...written, all] : written
  const params = call.params.map(({ text, isQuoted }) => (isQuoted ? text : (parseNumber(text) ?? text)))
  return {
    fn: (context.dialect === 'logsql' ? logsqlVariants.get(call.name) : undefined) ?? call.name,
    args,
    params: context.dialect === 'logsql' && call.name === 'median' ? [0.5] : params,
    limit: call.limit === 0 ? undefined : call.limit,
    orderBy: sortKeys(call.order, context),
    filter,
    origin,
  }
}

function lowerResult(result: StatsResult, context: LowerContext): readonly NamedAggregate[] {
  const type: DataType = 'any'
  if (result.cases.length === 0) {
    const filter = result.condition === undefined ? undefined : context.filter(result.condition)
    const name = result.name === undefined ? defaultResultName(result, context.printer) : context.name(result.name)
    return [{ name, call: lowerCall(result.call, filter, context), type }]
  }
  const isGiven = (filter: Filter | undefined): filter is Filter => filter !== undefined
  const filters = result.cases.map(({ filter }) => filter).filter(isGiven)
  return result.cases.map(({ filter, name }) => {
    const origin = context.at(name.span)
    const expr =
      filter === undefined ? not(disjunction(filters.map(context.filter), origin), origin) : context.filter(filter)
    return { name: context.name(name), call: lowerCall(result.call, expr, context), type }
  })
}

function keyText(key: GroupBy, context: LowerContext): string {
  return printGroupBy({ ...key, fill: undefined }, context.printer)
}

/**
 * Lowers group keys and names them after their fields. If several keys use one field, only one key gets the field's
 * name: the key without a bucket, else the first. The others are named by their text.
 */
function lowerKeys(by: readonly GroupBy[], context: LowerContext): readonly GroupKey[] {
  const textOf = new Map<string, string>()
  for (const key of by.filter(({ bucket }) => bucket === undefined)) {
    textOf.set(context.name(key.field), keyText(key, context))
  }
  return by.map((key) => {
    const origin = context.at(key.field.span)
    const field = context.name(key.field)
    const bucket = bucketOf(key, context.zone)
    const arg = column(field, origin)
    const text = keyText(key, context)
    const first = textOf.get(field) ?? text
    textOf.set(field, first)
    const name = text === first ? field : text
    return { name, expr: bucket === undefined ? arg : { kind: 'bucket', arg, bucket, origin }, type: 'any' }
  })
}

/** Returns a bucket as JSON. Widths and offsets are strings in ns. */
export function bucketJson(bucket: Bucket): JsonValue {
  switch (bucket.kind) {
    case 'number':
      return { kind: 'number', step: bucket.step, offset: bucket.offset }
    case 'time':
      return {
        kind: 'time',
        widthNs: String(bucket.widthNs),
        offsetNs: String(bucket.offsetNs),
        zone: bucket.zone ?? null,
      }
    case 'calendar':
      return { kind: 'calendar', unit: bucket.unit, offsetNs: String(bucket.offsetNs), zone: bucket.zone ?? null }
    case 'ipv4':
      return { kind: 'ipv4', bits: bucket.bits }
  }
}

/** Returns a plan that adds rows for empty buckets between the first and the last bucket. */
function fillGaps(plan: Aggregate, { by, results }: StatsBody, context: LowerContext): LogicalPlan {
  return by.reduce<LogicalPlan>((input, key, index) => {
    const bucket = key.fill === undefined ? undefined : bucketOf(key, context.zone)
    if (bucket === undefined || (bucket.kind !== 'time' && bucket.kind !== 'calendar')) return input
    const value = key.fill?.value?.text
    const keys = plan.keys.map(({ name }) => name)
    const names = plan.aggregates.map(({ name }) => name)
    return {
      kind: 'table-apply',
      input,
      fn: 'fill_gaps',
      params: {
        field: plan.keys[index]?.name ?? context.name(key.field),
        bucket: bucketJson(bucket),
        keys,
        results: names,
        // Value of results in added rows: `value` if the query gives one; otherwise counts and sums are 0, and other
        // results are missing.
        value: value === undefined ? null : numberOrText(value),
        zeros:
          value === undefined
            ? results.filter(isZeroOfNothing).flatMap((r) => lowerResult(r, context).map(({ name }) => name))
            : [],
      },
      use: {
        reads: [...keys, ...names].map((name) => ({ parts: [name] })),
        writes: [...keys, ...names].map((name) => ({ parts: [name] })),
        replaces: [],
      },
      outputs: [],
      keepsInputFields: true,
      origin: context.at(key.field.span),
    }
  }, plan)
}

function isZeroOfNothing({ call }: StatsResult): boolean {
  return call.name.startsWith('count') || call.name === 'rate'
}

function numberOrText(text: string): number | string {
  const number = parseNumber(text)
  return typeof number === 'number' && Number.isFinite(number) ? number : text
}

export function lowerStats(
  body: StatsBody,
  input: LogicalPlan,
  origin: Aggregate['origin'],
  context: LowerContext,
): LogicalPlan {
  const plan: Aggregate = {
    kind: 'aggregate',
    input,
    keys: lowerKeys(body.by, context),
    aggregates: body.results.flatMap((result) => lowerResult(result, context)),
    origin,
  }
  return fillGaps(plan, body, context)
}
