import { columnOfValues, type Column, type Schema } from '../../../data/index.ts'
import type { Accumulator, StatsCall, StatsFunction } from '../../../functions/index.ts'
import type { AggregateCall } from '../../../plan/index.ts'
import { argumentFeeder, argumentNames, type RowFeeder } from '../call-arguments.ts'
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

  add({ slice, ids, at }: GroupedRows): void {
    const { frame, from, rows, length } = slice
    const count = at === undefined ? length : at.length
    const chosen = new Uint32Array(count)
    for (let k = 0; k < count; k++) {
      const i = at === undefined ? k : at[k]
      chosen[k] = rows === undefined ? from + i : rows[i]
    }
    const feed = this.#feeder(frame.take(chosen))
    for (let k = 0; k < count; k++) feed(this.#state(ids[at === undefined ? k : at[k]]), k)
    if (this.#fn.algebra === 'holistic') this.#fed += count
  }

  #state(group: number): Accumulator {
    return (this.#states[group] ??= this.#fn.accumulator(this.#stats))
  }

  finish(groups: Uint32Array): Column {
    return columnOfValues(Array.from(groups, (group) => this.#state(group).finish()))
  }

  bytes(): number {
    return this.#states.length * STATE_BYTES + this.#fed * 24
  }
}
