import { present, checkpoint, type Budget } from '../../../base/index.ts'
import { concatColumns, constantColumn, gather, type Column } from '../../../data/index.ts'
import type { WindowCall, WindowParams } from '../../../functions/index.ts'
import { matchesField, type TableApply } from '../../../plan/index.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import { Frame } from '../frame.ts'
import { GroupKeys } from '../keys/group-keys.ts'
import { again, type OperatorFactory } from '../operator.ts'
import { columnComparer } from '../keys/sort-keys.ts'
import { Collector } from '../collect.ts'
import { WindowOrder } from './window-order.ts'
import { neighbours, ranks, rowNumbers } from './window-places.ts'

/** Computes the results of one window call for the rows `[from, to)`. */
type CallColumn = (from: number, to: number) => Column

/** Makes the operator of `window`, which adds one column for each call to the frames of its input. */
export const windowApplyOperator: OperatorFactory<TableApply> = ({ node, inputs: [input], context }) => {
  const params = node.params as unknown as WindowParams
  const collector = new Collector(input, context)
  const charge = new MemoryReservation(context.query.budget)
  let results: readonly CallColumn[] | undefined
  let frames: readonly Frame[] = []
  let at = 0
  let start = 0
  let taken = 0
  return {
    pull(want) {
      if (results === undefined) {
        const { orderBy, calls } = params
        if (!collector.step()) return again
        frames = collector.frames()
        charge.charge(
          collector.rowCount *
            (2 * Uint32Array.BYTES_PER_ELEMENT + (orderBy.length + calls.length) * Float64Array.BYTES_PER_ELEMENT),
        )
        const order = orderOf(frames, params, context.query.budget)
        results = calls.map((call) => callColumns[call.fn](call, frames, order))
      }
      const frame = frames[at]
      if (frame === undefined) return undefined
      const from = taken
      const to = Math.min(frame.rowCount, from + want)
      const whole = withResults(node, params, frame, start, results)
      taken = to
      if (to === frame.rowCount) {
        at++
        start += frame.rowCount
        taken = 0
      }
      return whole.slice(from, to)
    },
  }
}

function orderOf(frames: readonly Frame[], { partitionBy, orderBy }: WindowParams, budget: Budget): WindowOrder {
  const rowCount = frames.reduce((sum, frame) => sum + frame.rowCount, 0)
  const keys = new GroupKeys(partitionBy.length)
  const groups = new Uint32Array(rowCount)
  let start = 0
  for (const frame of frames) {
    const columns = partitionBy.map((name) => frame.column(name))
    groups.set(keys.groupsOf(columns, frame.rowCount), start)
    start += frame.rowCount
    checkpoint()
  }
  const comparers = orderBy.map(({ field, direction }) =>
    columnComparer(concatColumns(frames.map((frame) => frame.column(field))), direction, budget),
  )
  return WindowOrder.of(groups, keys.groupCount, comparers)
}

type CallColumnMaker = (call: WindowCall, frames: readonly Frame[], order: WindowOrder) => CallColumn

function positionColumn(positionsOf: (order: WindowOrder) => Float64Array): CallColumnMaker {
  return (_, __, order) => {
    let positions: Float64Array | undefined
    return (from, to) => {
      positions ??= positionsOf(order)
      return { kind: 'float64', length: to - from, values: positions.subarray(from, to), validity: undefined }
    }
  }
}

/** For each window function, the maker of its result column. Results are computed when the first of them is read. */
const callColumns: { readonly [K in WindowCall['fn']]: CallColumnMaker } = {
  lag: (call, frames, order) => neighbourColumn(call, -call.offset, frames, order),
  lead: (call, frames, order) => neighbourColumn(call, call.offset, frames, order),
  row_number: positionColumn(rowNumbers),
  rank: positionColumn((order) => ranks(order, false)),
  dense_rank: positionColumn((order) => ranks(order, true)),
}

function neighbourColumn(call: WindowCall, step: number, frames: readonly Frame[], order: WindowOrder): CallColumn {
  let made: { readonly source: Column; readonly rows: Uint32Array } | undefined
  return (from, to) => {
    made ??= {
      // The appended last row is the missing value for rows without a neighbour.
      source: concatColumns([
        ...frames.map((frame) =>
          call.field === null ? constantColumn(null, frame.rowCount) : frame.column(call.field),
        ),
        constantColumn(call.default, 1),
      ]),
      rows: neighbours(order, step),
    }
    return gather(made.source, made.rows.subarray(from, to))
  }
}

/**
 * Returns the frame with the result columns, without sampling hashes: rows of table functions are not stored records.
 */
function withResults(
  node: TableApply,
  { calls }: WindowParams,
  frame: Frame,
  start: number,
  results: readonly CallColumn[],
): Frame {
  const columns = frame.lazyColumns()
  if (!node.keepsInputFields) {
    for (const name of frame.names) {
      if (!node.use.reads.some((pattern) => matchesField(pattern, name))) columns.delete(name)
    }
  }
  for (const [index, result] of results.entries()) {
    columns.set(present(calls[index]).into, () => result(start, start + frame.rowCount))
  }
  return new Frame(frame.rowCount, columns)
}
