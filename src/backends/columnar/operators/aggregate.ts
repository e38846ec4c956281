import { invariant } from '../../../base/index.ts'
import { columnOfValues, hasBit, valueAt, type Bitmap, type Column } from '../../../data/index.ts'
import type { Accumulator, StatsCall, StatsFunction } from '../../../functions/index.ts'
import type { Aggregate, AggregateCall } from '../../../plan/index.ts'
import { Charge } from '../charge.ts'
import { argumentColumns, statsContext, takesPatterns } from '../call-arguments.ts'
import { fullMask, type Predicate } from '../expr/predicate.ts'
import { Frame } from '../frame.ts'
import { GroupKeys } from '../group-keys.ts'
import { again, type ExecContext, type OperatorFactory } from '../operator.ts'
import { blocking, Collector, pieces } from './collect.ts'

const GROUP_BYTES = 96

/** One aggregate over all groups. */
class GroupedCall {
  readonly #fn: StatsFunction
  readonly #filter: Predicate | undefined
  readonly #states: Accumulator[] = []
  readonly #stats: StatsCall
  readonly #columns: (frame: Frame) => readonly Column[]

  constructor(call: AggregateCall, context: ExecContext, rangeSeconds: number | undefined, names: readonly string[]) {
    const fn = context.functions.stats.get(call.fn)
    invariant(fn !== undefined, `no stats function named ${call.fn}`)
    this.#fn = fn
    this.#filter = call.filter === undefined ? undefined : context.compiler.predicate(call.filter)
    const args = argumentColumns(call, context.compiler, names)
    this.#columns = args.columns
    this.#stats = {
      params: call.params,
      limit: call.limit,
      argNames: args.names,
      orderDirections: call.orderBy.map((key) => key.direction),
      context: { rangeSeconds },
    }
  }

  /** Bytes that a row adds to the states, roughly. */
  get bytesPerRow(): number {
    return this.#fn.algebra === 'holistic' ? 24 : 0
  }

  add(frame: Frame, groups: Uint32Array): void {
    const columns = this.#columns(frame)
    let mask: Bitmap | undefined
    if (this.#filter !== undefined) {
      mask = fullMask(frame)
      this.#filter.narrow(frame, mask)
    }
    for (let row = 0; row < frame.rowCount; row++) {
      if (mask !== undefined && !hasBit(mask, row)) continue
      this.state(groups[row]).add(columns.map((column) => valueAt(column, row)))
    }
  }

  state(group: number): Accumulator {
    return (this.#states[group] ??= this.#fn.accumulator(this.#stats))
  }
}

export const aggregateOperator: OperatorFactory<Aggregate> = ({ node, inputs: [input], context }) => {
  const rangeSeconds = statsContext(
    node.keys.map((key) => key.expr),
    context.query.range,
  )
  const keys = node.keys.map((key) => context.compiler.expr(key.expr))
  const groups = new GroupKeys(keys.length)
  const charge = new Charge(context.query.budget)
  let calls: readonly GroupedCall[] | undefined
  const start = (names: readonly string[]): readonly GroupedCall[] =>
    node.aggregates.map((a) => new GroupedCall(a.call, context, rangeSeconds, names))
  const see = (frame: Frame, to: readonly GroupedCall[]): void => {
    const before = groups.groupCount
    const of = groups.groupsOf(
      keys.map((key) => key(frame)),
      frame.rowCount,
    )
    for (const call of to) call.add(frame, of)
    const perRow = to.reduce((sum, call) => sum + call.bytesPerRow, 0)
    charge.add((groups.groupCount - before) * GROUP_BYTES * (1 + to.length) + frame.rowCount * perRow)
  }
  const finish = (): Frame => {
    const done = calls ?? start([])
    const order = groups.sorted()
    const columns = new Map<string, Column>()
    node.keys.forEach((key, index) => {
      columns.set(key.name, columnOfValues(order.map((group) => groups.keyValues(group)[index])))
    })
    node.aggregates.forEach((aggregate, index) => {
      columns.set(aggregate.name, columnOfValues(order.map((group) => done[index].state(group).finish())))
    })
    return new Frame(order.length, columns)
  }
  if (node.aggregates.some((a) => takesPatterns(a.call))) {
    // Which fields a pattern stands for is known when all rows are.
    const collector = new Collector(input, context)
    return blocking(
      () => collector.step(),
      () => {
        const names = new Set(collector.frames().flatMap((frame) => frame.names))
        calls = start([...names])
        for (const frame of collector.frames()) see(frame, calls)
        return pieces(finish())
      },
    )
  }
  calls = start([])
  const known = calls
  return blocking(
    () => {
      const frame = input.pull(context.query.batchRows)
      if (frame === undefined) return true
      if (frame !== again) see(frame, known)
      return false
    },
    () => pieces(finish()),
  )
}
