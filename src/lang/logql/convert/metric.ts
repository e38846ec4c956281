import { noCounterpart, type FieldRef, type Pipe, type StatsCall } from '../../log/index.ts'
import type { MetricExpr, RangeAggregation, VectorAggregation } from '../ast.ts'
import { printDurationMs } from '../../promql/index.ts'
import type { Conversion } from './conversion.ts'

/** Maps LogQL range functions to the stats functions that compute the same. */
const COUNTED: ReadonlyMap<string, 'count' | 'rate' | 'sum_len'> = new Map([
  ['count_over_time', 'count'],
  ['rate', 'rate'],
  ['bytes_over_time', 'sum_len'],
])

const UNWRAPPED: ReadonlyMap<string, string> = new Map(
  ['sum', 'avg', 'min', 'max', 'quantile'].map((name) => [`${name}_over_time`, name]),
)

/** For each vector aggregation, the range functions for which both together equal one stats function over all rows. */
const COMBINED: ReadonlyMap<string, readonly string[]> = new Map([
  ['sum', [...COUNTED.keys(), 'sum_over_time']],
  ['min', ['min_over_time']],
  ['max', ['max_over_time']],
])

const IN_LOGQL = 'Ask in LogQL itself: `sluice query --dialect logql`.'

interface Counted {
  readonly range: RangeAggregation
  readonly by: readonly string[]
}

function ofAggregation({ op, expr, grouping, span }: VectorAggregation): Counted {
  if (expr.kind !== 'range-aggregation' || COMBINED.get(op)?.includes(expr.fn) !== true || expr.grouping !== undefined)
    return noCounterpart(
      span,
      `this \`${op}\``,
      `\`sum\` of counts, and \`sum\`, \`min\` and \`max\` of their like have one. ${IN_LOGQL}`,
    )
  if (grouping?.isWithout === true)
    return noCounterpart(span, '`without`', 'Name the labels that are wanted: `by (…)`.')
  return { range: expr, by: grouping?.labels ?? [] }
}

function countedBy(query: MetricExpr): Counted {
  if (query.kind === 'vector-aggregation') return ofAggregation(query)
  if (query.kind !== 'range-aggregation')
    return noCounterpart(query.span, 'arithmetic on series, and of numbers alone', IN_LOGQL)
  const { grouping, fn, span } = query
  if (grouping === undefined)
    return noCounterpart(span, 'a series for each set of labels', `Group it: \`sum by (…) (${fn}(…))\`.`)
  if (grouping.isWithout) return noCounterpart(span, '`without`', 'Name the labels that are wanted: `by (…)`.')
  return { range: query, by: grouping.labels }
}

function callOf({ fn, unwrap, param, span }: RangeAggregation, conversion: Conversion): StatsCall {
  const call = {
    params: [],
    args: [] as readonly FieldRef[],
    order: [],
    limit: undefined,
    offset: undefined,
    nameSpan: span,
    span,
  }
  if (unwrap === undefined) {
    const name = COUNTED.get(fn)
    if (name === undefined) return noCounterpart(span, `\`${fn}\``, IN_LOGQL)
    return { ...call, name, args: name === 'sum_len' ? [conversion.line(span)] : [] }
  }
  const name = UNWRAPPED.get(fn)
  if (name === undefined) return noCounterpart(span, `\`${fn}\``, IN_LOGQL)
  if (unwrap.conversion !== undefined || unwrap.filters.length > 0)
    return noCounterpart(unwrap.span, 'an `unwrap` that converts or filters', 'Unwrap a field of plain numbers.')
  conversion.note(`A row whose \`${unwrap.label}\` is no number does not count; in LogQL the query fails.`)
  const params = param === undefined ? [] : [{ text: String(param), isQuoted: false, span }]
  return { ...call, name, params, args: [conversion.field(unwrap.label, span)] }
}

/** Converts a metric query to its rows and the pipe that aggregates them by time step. */
export function convertMetric(
  query: MetricExpr,
  conversion: Conversion,
): { readonly range: RangeAggregation; readonly pipe: () => Pipe } {
  const { range, by } = countedBy(query)
  const { span, rangeMs, offsetNs } = range
  if (offsetNs !== 0n) noCounterpart(span, '`offset`', 'Ask for another range of times.')
  const plain = { bucket: undefined, offset: undefined, zone: undefined, fill: undefined }
  return {
    range,
    pipe: () => {
      const bucket = { text: printDurationMs(rangeMs), isQuoted: false, span }
      const time = { ...plain, field: { parts: [conversion.table.timeField], span }, bucket }
      const keys = by.map((label) => ({ ...plain, field: conversion.field(label, span) }))
      const name: FieldRef = { parts: ['value'], span }
      const results = [{ call: callOf(range, conversion), condition: undefined, cases: [], name, span }]
      conversion.note(
        `Steps of ${bucket.text} follow each other and have their start; a range of LogQL ends at each point and has its end.`,
      )
      return { kind: 'stats', by: [time, ...keys], results, span }
    },
  }
}
