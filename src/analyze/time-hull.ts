import { MAX_NS, always, intersect, isEmptyInterval, type Interval } from '../base/index.ts'
import { inputs, type Expr, type LogicalPlan } from '../plan/index.ts'

const nothing: Interval = { startNs: 0n, endNs: 0n }

/** True for an empty range. A range that ends with the last representable instant includes this instant. */
export function holdsNothing(range: Interval): boolean {
  return isEmptyInterval(range) && range.endNs !== MAX_NS
}

function union(a: Interval, b: Interval): Interval {
  if (holdsNothing(a)) return b
  if (holdsNothing(b)) return a
  return { startNs: a.startNs < b.startNs ? a.startNs : b.startNs, endNs: a.endNs > b.endNs ? a.endNs : b.endNs }
}

/** Returns the smallest range that contains the times of all rows that can satisfy a bound predicate. */
export function timeHull(expr: Expr, timeField: string): Interval {
  switch (expr.kind) {
    case 'literal':
      return expr.value === true ? always : nothing
    case 'and':
      return expr.args.reduce((range, arg) => intersect(range, timeHull(arg, timeField)), always)
    case 'or':
      return expr.args.reduce((range, arg) => union(range, timeHull(arg, timeField)), nothing)
    case 'test':
      return expr.test.kind === 'time-range' && expr.arg.kind === 'column' && expr.arg.name === timeField
        ? expr.test.range
        : always
    default:
      return always
  }
}

/**
 * Returns the time range that the first scan of a plan and the filters above it imply; `rate()` divides by its length.
 */
export function impliedRange(plan: LogicalPlan, timeFieldOf: (table: string) => string | undefined): Interval {
  let node = plan
  let filters: Expr[] = []
  for (let [first] = inputs(node); first !== undefined; [first] = inputs(node)) {
    if (node.kind === 'filter') filters.push(node.predicate)
    else filters = []
    node = first
  }
  if (node.kind !== 'scan') return always
  const timeField = timeFieldOf(node.table)
  if (timeField === undefined) return node.range
  const all = node.predicate === undefined ? filters : [...filters, node.predicate]
  return all.reduce((range, predicate) => intersect(range, timeHull(predicate, timeField)), node.range)
}
