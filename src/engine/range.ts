import { SluiceError, formatRfc3339, intersect, nowhere, type Interval } from '../base/index.ts'
import { rewriteUp, type LogicalPlan } from '../plan/index.ts'
import { engineDiagnostic } from './diagnostics.ts'

/** Throws `engine/reversed-range` (ruling L21); an empty range is none of it. */
export function checkRange(range: Interval): void {
  if (range.startNs <= range.endNs) return
  const data = { startNs: formatRfc3339(range.startNs), endNs: formatRfc3339(range.endNs) }
  throw new SluiceError([engineDiagnostic('reversed-range', data, nowhere)])
}

/** ANDs the request's range into every scan, those of joins, unions and subqueries included. */
export function withRange(plan: LogicalPlan, range: Interval): LogicalPlan {
  return rewriteUp(plan, (node) => {
    if (node.kind !== 'scan') return node
    const both = intersect(node.range, range)
    const isSame = both.startNs === node.range.startNs && both.endNs === node.range.endNs
    return isSame ? node : { ...node, range: both }
  })
}
