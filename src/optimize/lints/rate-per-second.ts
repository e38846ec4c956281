import { intersect, type Diagnostic } from '../../base/index.ts'
import { impliedRange } from '../../analyze/index.ts'
import { rangeSecondsOf } from '../../functions/index.ts'
import { visit } from '../../plan/index.ts'
import { lintDiagnostic } from '../lint-diagnostics.ts'
import type { Lint } from '../lint.ts'

export const ratePerSecond: Lint = {
  name: 'rate-per-second',
  summary: 'A rate has a time bucket or a range with both ends to divide by.',
  check({ plan, range }, { timeFieldOf, functions }) {
    const found: Diagnostic[] = []
    const whole = intersect(range, impliedRange(plan, timeFieldOf))
    visit(plan, (node) => {
      if (node.kind !== 'aggregate' || rangeSecondsOf(node.keys, whole) !== undefined) return
      const rate = node.aggregates.find(({ call }) => functions.stats.get(call.fn)?.dependsOnTime === true)
      if (rate !== undefined) found.push(lintDiagnostic('rate-per-second', { fn: rate.call.fn }, node.origin))
    })
    return found
  },
}
