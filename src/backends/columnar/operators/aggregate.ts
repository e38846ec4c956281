import { invariant, work } from '../../../base/index.ts'
import { columnOfValues, hasBit, type Bitmap, type Column, type Schema, type Value } from '../../../data/index.ts'
import { rangeSecondsOf, type Accumulator, type StatsCall, type StatsFunction } from '../../../functions/index.ts'
import { schemaOf, type Aggregate, type AggregateCall } from '../../../plan/index.ts'
import { argumentFeeder, argumentNames, type RowFeeder } from '../expr/call-arguments.ts'
import { Charge } from '../charge.ts'
import { fullMask, type Predicate } from '../expr/predicate.ts'
import { Frame } from '../frame.ts'
import { GroupKeys } from '../keys/group-keys.ts'
import type { ExecContext } from '../context.ts'
import { frameCall, type FrameCall } from '../group/frame-calls.ts'
import { canAggregateSegments } from '../group/segment-aggregate.ts'
import { segmentGroups } from '../group/segment-groups.ts'
import { again, BATCHES_AT_ONCE, type OperatorFactory } from '../operator.ts'
import { blocking, pieces } from '../blocking.ts'
import { eachInTurns } from '../turns.ts'

const GROUP_BYTES = 96

/** A function of the registry, row by row. */
class GroupedCall implements FrameCall {
  readonly #fn: StatsFunction
  readonly #filter: Predicate | undefined
  readonly #states: Accumulator[] = []
  readonly #stats: StatsCall
  readonly #feeder: (frame: Frame) => RowFeeder

  constructor(
    fn: StatsFunction,
    call: AggregateCall,
    schema: Schema,
    context: ExecContext,
    rangeSeconds: number | undefined,
  ) {
    this.#fn = fn
    this.#filter = call.filter === undefined ? undefined : context.compiler.predicate(call.filter)
    this.#feeder = argumentFeeder(call, context.compiler, schema)
    this.#stats = {
      params: call.params,
      limit: call.limit,
      argNames: argumentNames(call),
      orderDirections: call.orderBy.map((key) => key.direction),
      context: { rangeSeconds },
    }
  }

  get bytesPerRow(): number {
    return this.#fn.algebra === 'holistic' ? 24 : 0
  }

  add(frame: Frame, groups: Uint32Array): void {
    const feed = this.#feeder(frame)
    let mask: Bitmap | undefined
    if (this.#filter !== undefined) {
      mask = fullMask(frame)
      this.#filter.narrow(frame, mask)
    }
    for (let row = 0; row < frame.rowCount; row++) {
      work(2)
      if (mask === undefined || hasBit(mask, row)) feed(this.#state(groups[row]), row)
    }
  }

  finish(group: number): Value {
    work(10)
    return this.#state(group).finish()
  }

  #state(group: number): Accumulator {
    return (this.#states[group] ??= this.#fn.accumulator(this.#stats))
  }
}

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
    return frameCall(fn, call, context.compiler) ?? new GroupedCall(fn, call, schema, context, rangeSeconds)
  })
  const bytesPerRow = calls.reduce((sum, call) => sum + call.bytesPerRow, 0)
  return blocking(
    () => {
      const frame = input.pull(context.query.batchRows * BATCHES_AT_ONCE)
      if (frame === undefined) return true
      if (frame === again) return false
      const before = groups.groupCount
      const of = groups.groupsOf(
        keys.map((key) => key(frame)),
        frame.rowCount,
      )
      for (const call of calls) call.add(frame, of, groups.groupCount)
      charge.add((groups.groupCount - before) * GROUP_BYTES * (1 + calls.length) + frame.rowCount * bytesPerRow)
      return false
    },
    function* () {
      const order = yield* groups.sorted()
      const columns = new Map<string, Column>()
      for (const [index, key] of node.keys.entries()) {
        columns.set(key.name, columnOfValues(yield* eachInTurns(order, (group) => groups.keyValues(group)[index])))
      }
      for (const [index, { name }] of node.aggregates.entries()) {
        columns.set(name, columnOfValues(yield* eachInTurns(order, (group) => calls[index].finish(group))))
      }
      return pieces(new Frame(order.length, columns))
    },
  )
}
