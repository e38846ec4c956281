import { MAX_NS, MIN_NS, SluiceError, formatRfc3339, intersect, nowhere, type Interval } from '../base/index.ts'
import { rewriteUp, type LogicalPlan } from '../plan/index.ts'
import { engineDiagnostic } from './diagnostics.ts'

/**
 * Throws `engine/reversed-range` if the range ends before it starts (L21 of `grammar/semantics.md`). An empty range is
 * allowed.
 */
export function checkRange(range: Interval): void {
  if (range.startNs <= range.endNs) return
  const data = { startNs: formatRfc3339(range.startNs), endNs: formatRfc3339(range.endNs) }
  throw new SluiceError([engineDiagnostic('reversed-range', data, nowhere)])
}

/** Moves a range into the past by a duration. An open end stays open. */
function movedBack({ startNs, endNs }: Interval, byNs: bigint): Interval {
  const move = (ns: bigint): bigint => {
    const moved = ns - byNs
    return moved < MIN_NS ? MIN_NS : moved > MAX_NS ? MAX_NS : moved
  }
  return { startNs: startNs === MIN_NS ? MIN_NS : move(startNs), endNs: endNs === MAX_NS ? MAX_NS : move(endNs) }
}

/**
 * Applies the range of the request to every scan, including those in joins, unions and subqueries. A scan with an
 * offset gets an earlier range.
 */
export function withRange(plan: LogicalPlan, range: Interval): LogicalPlan {
  return rewriteUp(plan, (node) => {
    if (node.kind !== 'scan') return node
    const { rangeShiftNs = 0n, ignoresRequestRange = false, ...scan } = node
    if (ignoresRequestRange) return scan
    const both = intersect(node.range, range)
    if (rangeShiftNs !== 0n) return { ...scan, range: movedBack(both, rangeShiftNs) }
    const isSame = both.startNs === node.range.startNs && both.endNs === node.range.endNs
    return isSame ? node : { ...node, range: both }
  })
}
