import { work, type Meter } from '../../../base/index.ts'
import { hasBit, type Bitmap, type Schema, type Value } from '../../../data/index.ts'
import { chargedValue, type Accumulator, type StatsCall, type StatsImplementation } from '../../../functions/index.ts'
import type { AggregateCall } from '../../../plan/index.ts'
import type { ExecContext } from '../context.ts'
import { argumentFeeder, argumentNames, type RowFeeder } from '../expr/call-arguments.ts'
import { fullMask, type Predicate } from '../expr/predicate.ts'
import type { Frame } from '../frame.ts'
import type { FrameCall, RowGroups } from './frame-calls.ts'

/** A call of any registered function, row by row. */
export class GroupedCall implements FrameCall {
  readonly #fn: StatsImplementation
  readonly #filter: Predicate | undefined
  readonly #states: Accumulator[] = []
  readonly #stats: StatsCall
  readonly bytesPerRow = 0
  readonly #feeder: (frame: Frame) => RowFeeder

  constructor(
    fn: StatsImplementation,
    call: AggregateCall,
    schema: Schema,
    context: ExecContext,
    rangeSeconds: number | undefined,
    meter: Meter,
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
      meter,
    }
  }

  add(frame: Frame, { of }: RowGroups): void {
    const feed = this.#feeder(frame)
    let mask: Bitmap | undefined
    if (this.#filter !== undefined) {
      mask = fullMask(frame)
      this.#filter.narrow(frame, mask)
    }
    for (let row = 0; row < frame.rowCount; row++) {
      work(2)
      if (mask === undefined || hasBit(mask, row)) feed(this.#state(of[row]), row)
    }
  }

  finish(group: number, meter: Meter): Value {
    work(10)
    return chargedValue(this.#state(group).finish(), meter, this.#fn.name)
  }

  #state(group: number): Accumulator {
    return (this.#states[group] ??= this.#fn.accumulator(this.#stats))
  }
}
