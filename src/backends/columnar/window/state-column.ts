import { work } from '../../../base/index.ts'
import { columnOfValues, hasBit, type Bitmap, type Column, type Value } from '../../../data/index.ts'
import { chargedValue, rangeSecondsOf, type Accumulator, type StatsImplementation } from '../../../functions/index.ts'
import type { AggregateCall, NamedWindow } from '../../../plan/index.ts'
import type { ExecContext } from '../context.ts'
import { argumentNames } from '../expr/call-arguments.ts'

/** The rows that a window call processes, and their order. */
export interface WindowRows {
  readonly kind: NamedWindow['frame']
  /** The partition number of each row. */
  readonly groups: Uint32Array
  /** Row numbers in the order in which the call reads them. */
  readonly order: Uint32Array
  /** Bitmap of the rows that the call aggregates; `undefined` means all rows. */
  readonly mask: Bitmap | undefined
}

/** Computes the result column of a window call by passing each row to the aggregate state of its partition. */
export function stateColumn(
  fn: StatsImplementation,
  call: AggregateCall,
  feed: (state: Accumulator, row: number) => void,
  { kind, groups, order, mask }: WindowRows,
  context: ExecContext,
): Column {
  const { budget } = context.query
  const states: (Accumulator | undefined)[] = []
  const stateOf = (group: number): Accumulator =>
    (states[group] ??= fn.accumulator({
      params: call.params,
      limit: call.limit,
      argNames: argumentNames(call),
      orderDirections: call.orderBy.map((key) => key.direction),
      context: { rangeSeconds: rangeSecondsOf([], context.query.range) },
      meter: budget,
    }))
  const values: Value[] = Array<Value>(groups.length)
  for (const row of order) {
    const state = stateOf(groups[row])
    if (mask === undefined || hasBit(mask, row)) feed(state, row)
    if (kind === 'running') values[row] = chargedValue(state.finish(), budget, fn.name)
    work(2)
  }
  if (kind === 'partition') {
    const finished = states.map((state) => (state === undefined ? null : chargedValue(state.finish(), budget, fn.name)))
    for (let row = 0; row < values.length; row++) values[row] = finished[groups[row]]
  }
  return columnOfValues(values)
}
