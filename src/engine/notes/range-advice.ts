import { MAX_NS, MIN_NS, nowhere, type Diagnostic, type Interval } from '../../base/index.ts'
import { holdsNothing } from '../../analyze/index.ts'
import type { Backend } from '../../backends/index.ts'
import { inputs, subqueries, type LogicalPlan, type Scan, type Table, type TimesMet } from '../../plan/index.ts'
import type { CompileOptions } from '../compile.ts'
import { engineDiagnostic } from '../diagnostics.ts'

function* scansOf(plan: LogicalPlan): Iterable<Scan> {
  if (plan.kind === 'scan') yield plan
  for (const inner of [...inputs(plan), ...subqueries(plan)]) yield* scansOf(inner)
}

/** Returns the smallest range that contains all ranges. */
function hull(ranges: readonly Interval[]): Interval {
  const starts = ranges.map(({ startNs }) => startNs)
  const ends = ranges.map(({ endNs }) => endNs)
  return {
    startNs: starts.reduce((a, b) => (b < a ? b : a), MAX_NS),
    endNs: ends.reduce((a, b) => (b > a ? b : a), MIN_NS),
  }
}

/**
 * Returns the time span of a table's rows if no row is in the range; `undefined` if one is, or if the table does not
 * know its times.
 */
function timesBeside(table: Table, range: Interval): TimesMet | undefined {
  const met = table.timesMet?.()
  if (met !== undefined) return met.lastNs < range.startNs || met.firstNs >= range.endNs ? met : undefined
  if (table.rowsIn?.(range) !== 0) return undefined
  const { minTimeNs, maxTimeNs } = table.stats?.() ?? {}
  if (minTimeNs?.source !== 'exact' || maxTimeNs?.source !== 'exact') return undefined
  return { firstNs: minTimeNs.value, lastNs: maxTimeNs.value, isWhole: true }
}

/**
 * Returns a warning for each table without rows in the range of the query, with the time span of the table's rows.
 * Tables know these times without reading. A caller with a scope gets no warning, because the times include hidden
 * rows.
 */
export function rangeAdvice(plan: LogicalPlan, owner: Backend, options: CompileOptions): readonly Diagnostic[] {
  if (options.lint === 'off' || options.scope !== undefined) return []
  return [...Map.groupBy(scansOf(plan), ({ table }) => table)].flatMap(([name, scans]) => {
    const range = hull(scans.map((scan) => scan.range))
    if (holdsNothing(range) || (range.startNs === MIN_NS && range.endNs === MAX_NS)) return []
    const table = owner.tables?.get(name)
    const times = table && timesBeside(table, range)
    return times === undefined ? [] : [engineDiagnostic('empty-range', { range, times }, nowhere)]
  })
}
