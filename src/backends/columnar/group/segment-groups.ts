import type { Aggregate } from '../../../plan/index.ts'
import { blocking, frameBatches } from '../blocking.ts'
import type { ExecContext } from '../context.ts'
import type { Operator } from '../operator.ts'
import type { ScanSource } from '../segments/source.ts'
import { SegmentAggregate } from './segment-aggregate.ts'

/**
 * Returns an operator that groups the rows of a scan segment by segment and yields at most `limit` groups, in group
 * order.
 */
export function segmentGroups(node: Aggregate, source: ScanSource, context: ExecContext, limit?: number): Operator {
  let made: SegmentAggregate | undefined
  const aggregate = (): SegmentAggregate => (made ??= new SegmentAggregate(node, source, context))
  let found: Uint32Array | undefined
  const step = (): boolean => {
    aggregate().run()
    return true
  }
  const ordered = blocking(step, () => {
    const groups = aggregate().sorted(aggregate().groups())
    return frameBatches(aggregate().finished(limit === undefined ? groups : groups.subarray(0, limit)))
  })
  if (limit !== undefined) return ordered
  return {
    pull: (want) => ordered.pull(want),
    groups: {
      step,
      frame: (rows) => {
        const groups = (found ??= aggregate().groups())
        return aggregate().frame(rows === undefined ? groups : rows.map((row) => groups[row]))
      },
      topCandidates: (name, direction, keep) => aggregate().topCandidates(name, direction, keep),
      keys: node.keys.map((key) => key.name),
    },
  }
}
