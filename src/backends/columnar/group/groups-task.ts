import { sharedMemory, type Interval } from '../../../base/index.ts'
import { standardFunctions } from '../../../functions/index.ts'
import type { Aggregate, Expr, Scan, TableDefinition } from '../../../plan/index.ts'
import type { Segment } from '../../../store/index.ts'
import type { ExecContext } from '../context.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { ScanSource } from '../segments/source.ts'
import { plainOf } from './plain-plan.ts'

/** Grouping the rows of a scan, as plain data. */
export interface GroupsTask {
  readonly kind: 'groups'
  /** Instants and JSON texts in them stand as plain data. */
  readonly scan: Scan
  readonly conditions: readonly Expr[]
  readonly keys: Aggregate['keys']
  readonly aggregates: Aggregate['aggregates']
  readonly definition: TableDefinition
  readonly nowNs: bigint
  readonly range: Interval
  readonly batchRows: number
  /** Of each piece: the place of its segment in the scan's list, its first row and the one behind its last. */
  readonly pieces: Int32Array
}

const PIECE_WORDS = 3

/** `undefined` where another thread cannot do the same: it knows no functions of a user. */
export function groupsTask(
  node: Aggregate,
  source: ScanSource,
  ranges: readonly SegmentRange[],
  { functions, query }: ExecContext,
): GroupsTask | undefined {
  const { budget, nowNs, range, batchRows } = query
  // Whether a limit of rows is met must not depend on who reads them.
  if (budget.limits.scanRows < Number.MAX_SAFE_INTEGER) return undefined
  const areKnown = node.aggregates.every(
    ({ call }) => functions.stats.get(call.fn) === standardFunctions.stats.get(call.fn),
  )
  const plan = areKnown
    ? plainOf(
        { scan: source.node, conditions: source.conditions, keys: node.keys, aggregates: node.aggregates },
        functions,
      )
    : undefined
  if (plan === undefined) return undefined
  const { scan, conditions, keys, aggregates } = plan
  const places = new Map(source.segments.map((segment, place) => [segment, place]))
  const pieces = new Int32Array(sharedMemory(Math.max(1, ranges.length) * PIECE_WORDS * 4))
  for (const [index, { segment, from, to }] of ranges.entries()) {
    pieces.set([places.get(segment) ?? -1, from, to], index * PIECE_WORDS)
  }
  const { definition } = source
  return { kind: 'groups', scan, conditions, keys, aggregates, definition, nowNs, range, batchRows, pieces }
}

export function rangesOf(pieces: Int32Array, segments: readonly Segment[]): readonly SegmentRange[] {
  const ranges: SegmentRange[] = []
  for (let at = 0; at + PIECE_WORDS <= pieces.length; at += PIECE_WORDS) {
    const segment = segments[pieces[at]]
    if (segment !== undefined) ranges.push({ segment, from: pieces[at + 1], to: pieces[at + 2] })
  }
  return ranges
}
