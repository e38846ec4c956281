import { DAY_NS, MAX_NS, MIN_NS, at, spanOf, type Diagnostic, type Origin } from '../../base/index.ts'
import { scansOf } from '../../analyze/index.ts'
import { expressions, visit, visitExpr, type LogicalPlan } from '../../plan/index.ts'
import { lintDiagnostic } from '../lint-diagnostics.ts'
import type { Lint } from '../lint.ts'

/** Returns the origin of the time test that makes the range wide; of the whole query if there is none. */
function widthOrigin(plan: LogicalPlan, timeField: string | undefined): Origin {
  let start = Infinity
  let end = -Infinity
  const tests: Origin[] = []
  visit(plan, (node) => {
    const span = spanOf(node.origin)
    if (span !== undefined) {
      start = Math.min(start, span.start)
      end = Math.max(end, span.end)
    }
    for (const root of expressions(node)) {
      visitExpr(root, (expr) => {
        const isOnTime = expr.kind === 'test' && expr.arg.kind === 'column' && expr.arg.name === timeField
        if (isOnTime && expr.test.kind === 'time-range') tests.push(expr.origin)
      })
    }
  })
  const [first, ...more] = tests
  if (first !== undefined && more.length === 0) return first
  return start < end ? at({ start, end }) : plan.origin
}

export const wideTimeRange: Lint = {
  name: 'wide-time-range',
  summary: 'The time range is kept tight.',
  check({ optimized, plan }, { timeFieldOf, wideRangeNs, rowsIn, costlyRows }) {
    const found: Diagnostic[] = []
    const seen = new Set<string>()
    for (const { range, table } of scansOf(optimized)) {
      const isOpen = range.startNs === MIN_NS || range.endNs === MAX_NS
      const widthNs = range.endNs - range.startNs
      if (seen.has(table) || (!isOpen && widthNs <= wideRangeNs)) continue
      seen.add(table)
      if (rowsIn !== undefined && (rowsIn(table, range) ?? 0) <= costlyRows) continue
      const days = isOpen ? undefined : Number(widthNs / DAY_NS)
      // A query without a range only gets an info, because the data may be small, such as a file. An explicit range
      // gets a warning.
      const data = { table, days, severity: isOpen ? ('info' as const) : ('warning' as const) }
      found.push(lintDiagnostic('wide-time-range', data, widthOrigin(plan, timeFieldOf(table))))
    }
    return found
  },
}
