import { hasMember, checkArgument, MAX_NS, MIN_NS, formatRfc3339, type Interval } from '../../../base/index.ts'
import type { Dialect } from '../../../plan/index.ts'
import type { Filter, Query } from '../ast.ts'
import { parseFilter } from '../parse.ts'
import { addFilter } from './add-filter.ts'
import { mapNested } from './map-nested.ts'

function timeFilter({ startNs, endNs }: Interval, dialect: Dialect): Filter | undefined {
  const isFromStart = startNs <= MIN_NS
  const isToEnd = endNs >= MAX_NS
  if (isFromStart && isToEnd) return undefined
  // The written end is inclusive, so the last nanosecond before `endNs` is written.
  const text = isFromStart
    ? `_time:<${formatRfc3339(endNs)}`
    : isToEnd
      ? `_time:>=${formatRfc3339(startNs)}`
      : `_time:[${formatRfc3339(startNs)},${formatRfc3339(endNs - 1n)}]`
  return parseFilter(text, { dialect }).ast
}

function ignoresRange({ options }: Query): boolean | undefined {
  const given = options.find(({ name }) => name === 'ignore_global_time_filter')?.value?.text
  return given === undefined ? undefined : given.toLowerCase() === 'true'
}

/**
 * Adds the time range of a request, `[startNs, endNs)`, as a filter to a query and to every query inside it. Skips
 * queries with `options(ignore_global_time_filter=true)` and their subqueries. For callers that send the text to
 * another system, which does not get the range itself.
 */
export function withTimeRange(query: Query, range: Interval, dialect: Dialect = 'native'): Query {
  checkArgument(
    hasMember(range, 'startNs'),
    range,
    'an interval',
    'withTimeRange(parse(text).ast, interval(startNs, endNs))',
  )
  checkArgument(
    hasMember(query, 'pipes'),
    query,
    'the `ast` of a query that `parse` read',
    'withTimeRange(parse(text).ast, interval(startNs, endNs))',
  )
  const filter = timeFilter(range, dialect)
  if (filter === undefined) return query
  const add = (each: Query, isInheritedOff: boolean): Query => {
    const isOff = ignoresRange(each) ?? isInheritedOff
    const inside = mapNested(each, (nested) => add(nested, isOff))
    return isOff ? inside : addFilter(inside, filter)
  }
  return add(query, false)
}
