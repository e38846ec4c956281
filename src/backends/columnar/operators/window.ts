import { columnOfValues, hasBit, type Column, type Schema, type Value } from '../../../data/index.ts'
import { invariant } from '../../../base/index.ts'
import { rangeSecondsOf, type Accumulator } from '../../../functions/index.ts'
import { schemaOf, type NamedWindow, type Window } from '../../../plan/index.ts'
import { argumentFeeder, argumentNames } from '../call-arguments.ts'
import { fullMask } from '../expr/predicate.ts'
import type { Frame } from '../frame.ts'
import { GroupKeys } from '../group-keys.ts'
import type { ExecContext } from '../context.ts'
import type { OperatorFactory } from '../operator.ts'
import { sortedOrder } from '../sort-keys.ts'
import { blocking, pieces } from '../blocking.ts'
import { Collector } from './collect.ts'
import { frameComparers } from './sort.ts'

export const windowOperator: OperatorFactory<Window> = ({ node, inputs: [input], context }) => {
  const collector = new Collector(input, context)
  return blocking(
    () => collector.step(),
    () => {
      const frame = collector.all()
      const groups = new GroupKeys(node.partitionBy.length)
      const of = groups.groupsOf(
        node.partitionBy.map((expr) => context.compiler.expr(expr)(frame)),
        frame.rowCount,
      )
      const order =
        node.orderBy.length === 0
          ? Uint32Array.from({ length: frame.rowCount }, (_, row) => row)
          : sortedOrder(frame.rowCount, frameComparers(frame, node.orderBy, context))
      const columns = node.calls.map((call): readonly [string, Column] => [
        call.name,
        windowColumn(call, frame, of, order, schemaOf(node.input), context),
      ])
      return pieces(frame.with(columns))
    },
  )
}

function windowColumn(
  { call, frame: kind }: NamedWindow,
  frame: Frame,
  groups: Uint32Array,
  order: Uint32Array,
  schema: Schema,
  context: ExecContext,
): Column {
  const fn = context.functions.stats.get(call.fn)
  invariant(fn !== undefined, `no stats function named ${call.fn}`)
  const feed = argumentFeeder(call, context.compiler, schema)(frame)
  const mask = fullMask(frame)
  if (call.filter !== undefined) context.compiler.predicate(call.filter).narrow(frame, mask)
  const states: (Accumulator | undefined)[] = []
  const stateOf = (group: number): Accumulator =>
    (states[group] ??= fn.accumulator({
      params: call.params,
      limit: call.limit,
      argNames: argumentNames(call),
      orderDirections: call.orderBy.map((key) => key.direction),
      context: { rangeSeconds: rangeSecondsOf([], context.query.range) },
    }))
  const values: Value[] = Array<Value>(frame.rowCount)
  for (const row of order) {
    const state = stateOf(groups[row])
    if (hasBit(mask, row)) feed(state, row)
    if (kind === 'running') values[row] = state.finish()
  }
  if (kind === 'partition') {
    const finished = states.map((state) => state?.finish() ?? null)
    for (let row = 0; row < frame.rowCount; row++) values[row] = finished[groups[row]]
  }
  return columnOfValues(values)
}
