import { work, type JsonValue, type Meter } from '../../../base/index.ts'
import { columnOfValues, type Column, type Schema, type Value } from '../../../data/index.ts'
import { chargedValue, type Accumulator, type StatsCall, type StatsImplementation } from '../../../functions/index.ts'
import type { AggregateCall } from '../../../plan/index.ts'
import { argumentFeeder, argumentNames, type RowFeeder } from '../expr/call-arguments.ts'
import type { ExprCompiler } from '../expr/compile.ts'
import type { Frame } from '../frame.ts'
import { GROUP_BYTES } from '../tuning.ts'
import type { GroupedRows, Kernel, KernelPartials } from './kernel.ts'

/** A kernel that calls any registered function row by row. The function must not depend on the order of rows. */
export class GenericKernel implements Kernel {
  readonly #fn: StatsImplementation
  readonly #stats: StatsCall
  readonly #meter: Meter
  readonly #feeder: (frame: Frame) => RowFeeder
  readonly #states: (Accumulator | undefined)[] = []

  constructor(
    fn: StatsImplementation,
    call: AggregateCall,
    compiler: ExprCompiler,
    schema: Schema,
    rangeSeconds: number | undefined,
    meter: Meter,
  ) {
    this.#meter = meter
    this.#fn = fn
    this.#feeder = argumentFeeder(call, compiler, schema)
    this.#stats = {
      params: call.params,
      limit: call.limit,
      argNames: argumentNames(call),
      orderDirections: [],
      context: { rangeSeconds },
      meter,
    }
  }

  reserve(): void {}

  add({ frame, rows, groups, length }: GroupedRows): void {
    const feed = this.#feeder(frame.take(rows.subarray(0, length)))
    for (let i = 0; i < length; i++) {
      work(2)
      feed(this.#state(groups[i]), i)
    }
  }

  #state(group: number): Accumulator {
    return (this.#states[group] ??= this.#fn.accumulator(this.#stats))
  }

  finish(groups: Uint32Array): Column {
    return columnOfValues(Array.from(groups, (group) => this.#charged(this.#state(group).finish())))
  }

  #charged(value: Value): Value {
    work(10)
    return chargedValue(value, this.#meter, this.#fn.name)
  }

  get partials(): KernelPartials<readonly (readonly [group: number, state: JsonValue])[]> | undefined {
    return this.#canGive ? this.#givenPartials : undefined
  }

  /**
   * True if the state can be sent to another thread: it is small, and the choice among values that are equal as keys
   * but print differently cannot matter.
   */
  get #canGive(): boolean {
    const { algebra, kernel } = this.#fn
    return algebra !== 'holistic' && kernel !== 'least' && kernel !== 'greatest'
  }

  readonly #givenPartials: KernelPartials<readonly (readonly [number, JsonValue])[]> = {
    exportPartial: () => {
      const given = Array.from(this.#states.entries()).flatMap(([group, state]) =>
        state === undefined ? [] : [[group, state.export()] as const],
      )
      this.#states.length = 0
      return given
    },
    mergePartial: (given, groups) => {
      for (const [group, exported] of given) {
        work(20)
        const state = this.#fn.accumulator(this.#stats)
        state.import(exported)
        this.#state(groups[group]).merge(state)
      }
    },
  }

  bytes(): number {
    return this.#states.length * GROUP_BYTES
  }
}
