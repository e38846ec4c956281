import { eachInTurns, invariant, present } from '../../../base/index.ts'
import { columnOfValues, type Column } from '../../../data/index.ts'
import { rangeSecondsOf } from '../../../functions/index.ts'
import { schemaOf, type Aggregate } from '../../../plan/index.ts'
import { Charge } from '../charge.ts'
import { Frame } from '../frame.ts'
import { GroupKeys } from '../keys/group-keys.ts'
import { frameCall, type FrameCall } from '../group/frame-calls.ts'
import { GroupedCall } from '../group/grouped-call.ts'
import { canAggregateSegments } from '../group/segment-aggregate.ts'
import { segmentGroups } from '../group/segment-groups.ts'
import { again, BATCHES_AT_ONCE, type OperatorFactory } from '../operator.ts'
import { adding } from '../blocking.ts'

/** Keys to be numbered and calls to be fed with a row between two turns. */
const WORK_AT_ONCE = 16_384

/** A group's key, or its state in one call. */
const GROUP_BYTES = 160

export const aggregateOperator: OperatorFactory<Aggregate> = ({ node, inputs: [input], context }) => {
  if (input.scan !== undefined && canAggregateSegments(node, context)) return segmentGroups(node, input.scan, context)
  const rangeSeconds = rangeSecondsOf(node.keys, context.query.range)
  const schema = schemaOf(node.input)
  const keys = node.keys.map((key) => context.compiler.expr(key.expr))
  const groups = new GroupKeys(keys.length)
  const charge = new Charge(context.query.budget)
  const calls = node.aggregates.map(({ call }): FrameCall => {
    const fn = context.functions.stats.get(call.fn)
    invariant(fn !== undefined, `no stats function named ${call.fn}`)
    return frameCall(fn, call, context.compiler) ?? new GroupedCall(fn, call, schema, context, rangeSeconds, charge)
  })
  let keyBytes = 0
  const bytesPerRow = calls.reduce((sum, call) => sum + call.bytesPerRow, 0)
  const { batchRows } = context.query
  const perRow = Math.max(1, keys.length + calls.reduce((sum, call) => sum + (call instanceof GroupedCall ? 4 : 0), 0))
  const want = Math.min(batchRows * BATCHES_AT_ONCE, Math.max(batchRows / 8, Math.ceil(WORK_AT_ONCE / perRow)))
  return adding(
    () => {
      const frame = input.pull(want)
      if (frame === undefined) return true
      if (frame === again) return false
      const before = groups.groupCount
      const of = groups.groupsOf(
        keys.map((key) => key(frame)),
        frame.rowCount,
      )
      for (const call of calls) call.add(frame, of, groups.groupCount)
      const { memoryBytes } = groups
      const stateBytes = (groups.groupCount - before) * GROUP_BYTES * calls.length
      charge.charge(memoryBytes - keyBytes + stateBytes + frame.rowCount * bytesPerRow)
      keyBytes = memoryBytes
      return false
    },
    charge,
    function* (held) {
      // Places, and the values of keys and results.
      held.charge(groups.groupCount * 16 * (1 + node.keys.length + calls.length))
      const order = yield* groups.sorted()
      const columns = new Map<string, Column>()
      for (const [index, key] of node.keys.entries()) {
        columns.set(
          key.name,
          columnOfValues(yield* eachInTurns(order, (group) => groups.keyValues(group)[index] ?? null)),
        )
      }
      for (const [index, call] of calls.entries()) {
        const { name } = present(node.aggregates[index])
        columns.set(name, columnOfValues(yield* eachInTurns(order, (group) => call.finish(group, held))))
      }
      return new Frame(order.length, columns)
    },
  )
}
