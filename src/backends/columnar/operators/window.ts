import type { Column, Schema } from '../../../data/index.ts'
import { checkpoint, invariant } from '../../../base/index.ts'
import { schemaOf, type NamedWindow, type Window } from '../../../plan/index.ts'
import { argumentFeeder } from '../expr/call-arguments.ts'
import { fullMask } from '../expr/predicate.ts'
import type { Frame } from '../frame.ts'
import { partitionsOf } from '../keys/partitions.ts'
import type { ExecContext } from '../context.ts'
import type { OperatorFactory } from '../operator.ts'
import { sortedOrder } from '../keys/sort-keys.ts'
import { blocking, frameBatches } from '../blocking.ts'
import { stateColumn, type WindowRows } from '../window/state-column.ts'
import { Collector } from '../collect.ts'
import { frameComparers } from '../scan/frame-order.ts'

export const windowOperator: OperatorFactory<Window> = ({ node, inputs: [input], context }) => {
  const collector = new Collector(input, context)
  return blocking(
    () => collector.step(),
    () => {
      const frame = collector.all()
      const { groups } = partitionsOf(
        node.partitionBy.map((expr) => context.compiler.expr(expr)(frame)),
        frame.rowCount,
      )
      const isOrdered = node.orderBy.length > 0 && node.calls.some((call) => needsOrder(call, context))
      const comparers = isOrdered ? frameComparers(frame, node.orderBy, context) : []
      const order = sortedOrder(frame.rowCount, comparers)
      const partitions = { groups, order }
      const columns: (readonly [string, Column])[] = []
      for (const call of node.calls) {
        checkpoint()
        columns.push([call.name, windowColumn(call, frame, partitions, schemaOf(node.input), context)])
      }
      return frameBatches(frame.with(columns))
    },
  )
}

/** True if the values of a call depend on the order of rows inside a partition. */
function needsOrder({ call, frame }: NamedWindow, context: ExecContext): boolean {
  if (frame === 'running' || call.orderBy.length > 0 || call.limit !== undefined) return true
  return context.functions.stats.get(call.fn)?.isOrderSensitive !== false
}

function windowColumn(
  { call, frame: kind }: NamedWindow,
  frame: Frame,
  partitions: Pick<WindowRows, 'groups' | 'order'>,
  schema: Schema,
  context: ExecContext,
): Column {
  const fn = context.functions.stats.get(call.fn)
  invariant(fn !== undefined, `no stats function named ${call.fn}`)
  const mask = call.filter === undefined ? undefined : fullMask(frame)
  if (call.filter !== undefined && mask !== undefined) context.compiler.predicate(call.filter).narrow(frame, mask)
  const rows: WindowRows = { ...partitions, kind, mask }
  return stateColumn(fn, call, argumentFeeder(call, context.compiler, schema)(frame), rows, context)
}
