import { work } from '../../../base/index.ts'
import { columnOfValues, type Column, type Schema } from '../../../data/index.ts'
import type { Accumulator, StatsCall, StatsFunction } from '../../../functions/index.ts'
import type { AggregateCall } from '../../../plan/index.ts'
import { argumentFeeder, argumentNames, type RowFeeder } from '../expr/call-arguments.ts'
import type { ExprCompiler } from '../expr/compile.ts'
import type { Frame } from '../frame.ts'
import type { GroupedRows, Kernel } from './kernel.ts'

const STATE_BYTES = 96

/** A function of the registry, row by row; only for functions that do not look at the order of rows. */
export class GenericKernel implements Kernel {
  readonly #fn: StatsFunction
  readonly #stats: StatsCall
  readonly #feeder: (frame: Frame) => RowFeeder
  readonly #states: (Accumulator | undefined)[] = []
  #fed = 0

  constructor(
    fn: StatsFunction,
    call: AggregateCall,
    compiler: ExprCompiler,
    schema: Schema,
    rangeSeconds: number | undefined,
  ) {
    this.#fn = fn
    this.#feeder = argumentFeeder(call, compiler, schema)
    this.#stats = {
      params: call.params,
      limit: call.limit,
      argNames: argumentNames(call),
      orderDirections: [],
      context: { rangeSeconds },
    }
  }

  reserve(): void {}

  add({ frame, rows, groups, length }: GroupedRows): void {
    const feed = this.#feeder(frame.take(rows.subarray(0, length)))
    for (let i = 0; i < length; i++) {
      work(2)
      feed(this.#state(groups[i]), i)
    }
    if (this.#fn.algebra === 'holistic') this.#fed += length
  }

  #state(group: number): Accumulator {
    return (this.#states[group] ??= this.#fn.accumulator(this.#stats))
  }

  finish(groups: Uint32Array): Column {
    return columnOfValues(
      Array.from(groups, (group) => {
        work(10)
        return this.#state(group).finish()
      }),
    )
  }

  bytes(): number {
    return this.#states.length * STATE_BYTES + this.#fed * 24
  }
}
