import { present } from '../../../base/index.ts'
import { columnOfValues, type Column } from '../../../data/index.ts'
import type { Sort } from '../../../plan/index.ts'
import type { Frame } from '../frame.ts'
import type { ExecContext } from '../context.ts'
import { again, type Operator, type OperatorFactory, type UnorderedGroups } from '../operator.ts'
import { SPARE_ROWS } from '../tuning.ts'
import type { ScanSource } from '../segments/source.ts'
import { topCandidates, directionOfAll, firstRows, frameComparers, orderByKeys } from '../scan/frame-order.ts'
import { frameOfRefs, prefetchRows, type RowRef } from '../scan/row-refs.ts'
import { compareRows } from '../segments/segment-range.ts'
import { TopLists } from '../scan/top-lists.ts'
import { TopMorsels } from '../scan/top-morsels.ts'
import { TopTimes } from '../scan/top-times.ts'
import { boundOf, rowsWithin, type Bound } from '../keys/bound.ts'
import { partitionsOf, type Partitions } from '../keys/partitions.ts'
import { groupComparer, sortedOrder } from '../keys/sort-keys.ts'
import { cut } from '../window/cut.ts'
import { blocking, frameBatches } from '../blocking.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import { Collector } from '../collect.ts'

/**
 * Frames with more fields than this are reduced to their first rows one by one. Strings unpacked into fields may give
 * thousands of fields.
 */
const WIDE_FIELDS = 256

/** Makes an operator that returns the first groups by the sort keys. Ties are in the order of group keys. */
function topGroups(node: Sort, groups: UnorderedGroups, context: ExecContext): Operator {
  const keep = node.offset + (node.limit ?? 0)
  return blocking(
    () => groups.step(),
    () => {
      const { expr, direction } = present(node.keys[0], 'the first key')
      const known = expr.kind === 'column' ? groups.topCandidates(expr.name, direction, keep) : undefined
      const some = known?.frame ?? groups.frame(topCandidates(groups.frame(), node.keys, keep, context))
      const byKey = groups.keys.map((name) => groupComparer(some.column(name)))
      const order = sortedOrder(some.rowCount, [...frameComparers(some, node.keys, context), ...byKey])
      return finish(some, order, node, undefined)
    },
  )
}

/**
 * Makes an operator that returns the first rows of a scan by time, or by a numeric field whose extreme values are
 * listed. For other keys it reads morsels.
 */
function topOfScan(node: Sort, source: ScanSource, name: string, input: Operator, context: ExecContext): Operator {
  const keep = node.offset + (node.limit ?? 0)
  const { timeField } = source.definition
  let top: TopLists | TopTimes | undefined
  let isStarted = false
  let output: Operator | undefined
  const { direction } = present(node.keys[0], 'the first key')
  return {
    pull(want) {
      if (output !== undefined) return output.pull(want)
      if (!isStarted) {
        isStarted = true
        top = name === timeField ? new TopTimes(source, direction, keep) : TopLists.of(source, name, direction, keep)
      }
      if (top !== undefined && !top.step()) return again
      const rows = top?.rows()
      output = rows === undefined ? topOfMorsels(node, source, input, context) : finishTop(node, source, rows, context)
      return again
    },
  }
}

/**
 * Makes an operator that finds the first rows of a scan by any sort keys, one morsel (a range of rows) at a time. If
 * more than `SPARE_ROWS` rows are wanted, the operator sorts all rows instead.
 */
function topOfMorsels(node: Sort, source: ScanSource, input: Operator, context: ExecContext): Operator {
  const keep = node.offset + (node.limit ?? 0)
  if (keep === 0 || keep > SPARE_ROWS) return sortAll(node, input, context)
  let top: TopMorsels | undefined
  return blocking(
    () => {
      top = new TopMorsels(node.keys, keep, source)
      top.run()
      return true
    },
    () => {
      const frame = frameOfRefs(source, top?.rows() ?? [])
      return finish(frame, orderByKeys(frame, node.keys, context), node, undefined)
    },
  )
}

/**
 * Makes an operator that sorts `rows` by all keys and returns the first of them. `rows` are ordered by the first key,
 * then as in the scan.
 */
function finishTop(node: Sort, source: ScanSource, rows: readonly RowRef[], context: ExecContext): Operator {
  if (node.keys.length === 1) {
    const { offset, rankName } = node
    const kept = rows.slice(offset, offset + (node.limit ?? 0))
    prefetchRows(source, kept)
    const frame = frameOfRefs(source, kept)
    const ranks = columnOfValues(kept.map((_, i) => offset + i + 1))
    return frameBatches(rankName === undefined ? frame : frame.with([[rankName, ranks]]))
  }
  const newestFirst = rows.toSorted((a, b) => compareRows(b.segment, b.row, a.segment, a.row))
  const frame = frameOfRefs(source, newestFirst)
  return finish(frame, orderByKeys(frame, node.keys, context), node, undefined)
}

export const sortOperator: OperatorFactory<Sort> = ({ node, inputs: [input], context }) => {
  const isTopK = node.limit !== undefined && node.partitionBy.length === 0 && directionOfAll(node.keys) === undefined
  if (!isTopK) return sortAll(node, input, context)
  if (input.groups !== undefined) return topGroups(node, input.groups, context)
  const { scan } = input
  if (scan === undefined) return sortAll(node, input, context)
  const first = node.keys[0]?.expr
  return first?.kind === 'column' && scan.shows(first.name)
    ? topOfScan(node, scan, first.name, input, context)
    : topOfMorsels(node, scan, input, context)
}

function sortAll(node: Sort, input: Operator, context: ExecContext): Operator {
  const isTopK = node.limit !== undefined && node.partitionBy.length === 0 && directionOfAll(node.keys) === undefined
  const first = isTopK ? node.keys[0] : undefined
  const firstKey = first === undefined ? undefined : context.compiler.expr(first.expr)
  const keep = node.offset + (node.limit ?? 0)
  let bound: Bound | undefined
  const sorted = (frame: Frame): Uint32Array => orderByKeys(frame, node.keys, context)
  const collector = new Collector(input, context, (frame) => {
    // A frame with very many fields is reduced to its possible result rows before it is held.
    if (isTopK && frame.rowCount > keep && frame.names.length > WIDE_FIELDS)
      return frame.take(sorted(frame).slice(0, keep).toSorted())
    if (bound === undefined || firstKey === undefined) return frame
    const rows = rowsWithin(firstKey(frame), bound)
    return rows.length === frame.rowCount ? frame : frame.take(rows)
  })
  const cutAt = keep + SPARE_ROWS
  /** Drops held rows that can no longer be in the result, and sets the bound that rejects later rows. */
  function cutDown(): void {
    const frame = collector.all()
    const meter = new MemoryReservation(context.query.budget)
    const kept = frame.take(firstRows(frame, node.keys, keep, context, meter))
    meter.release()
    collector.replace([kept])
    if (first !== undefined && firstKey !== undefined && keep > 0)
      bound = boundOf(firstKey(kept), kept.rowCount - 1, first.direction, node.keys.length > 1)
  }
  return blocking(
    () => {
      if (collector.step()) return true
      if (isTopK && collector.rowCount > cutAt) cutDown()
      return false
    },
    () => {
      const frame = collector.all()
      if (node.partitionBy.length === 0) {
        const some = isTopK ? frame.take(topCandidates(frame, node.keys, keep, context)) : frame
        return finish(some, sorted(some), node, undefined)
      }
      const columns = node.partitionBy.map((expr) => context.compiler.expr(expr)(frame))
      const partitions = partitionsOf(columns, frame.rowCount)
      return finish(frame, sorted(frame), node, partitions)
    },
  )
}

/**
 * Makes an operator that returns the wanted rows of a frame in this order. `partitions` assigns the frame's rows to
 * partitions; `undefined` if there is only one.
 */
function finish(frame: Frame, order: Uint32Array, node: Sort, partitions: Partitions | undefined): Operator {
  const end = node.limit === undefined ? Infinity : node.offset + node.limit
  const { rows, ranks } = cut(order, partitions, node.offset, end)
  const taken = frame.take(rows)
  if (node.rankName === undefined) return frameBatches(taken)
  const column: Column = { kind: 'float64', length: ranks.length, values: ranks, validity: undefined }
  return frameBatches(taken.with([[node.rankName, column]]))
}
