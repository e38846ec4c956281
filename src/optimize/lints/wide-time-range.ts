import { MAX_NS, MIN_NS, type Diagnostic } from '../../base/index.ts'
import { scansOf } from '../../analyze/index.ts'
import { lintDiagnostic } from '../lint-diagnostics.ts'
import type { Lint } from '../lint.ts'

const DAY_NS = 86_400_000_000_000n

export const wideTimeRange: Lint = {
  name: 'wide-time-range',
  summary: 'The time range is kept tight.',
  check({ optimized, plan }, { wideRangeNs }) {
    const found: Diagnostic[] = []
    const seen = new Set<string>()
    for (const { range, table } of scansOf(optimized)) {
      const isOpen = range.startNs === MIN_NS || range.endNs === MAX_NS
      const widthNs = range.endNs - range.startNs
      if (seen.has(table) || (!isOpen && widthNs <= wideRangeNs)) continue
      seen.add(table)
      const days = isOpen ? undefined : Number(widthNs / DAY_NS)
      // Without any range the data may be small, as in a file; with one the width is somebody's choice.
      found.push(lintDiagnostic('wide-time-range', { table, days, severity: isOpen ? 'info' : 'warning' }, plan.origin))
    }
    return found
  },
}
