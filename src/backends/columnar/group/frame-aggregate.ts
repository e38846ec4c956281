import { invariant, present } from '../../../base/index.ts'
import { columnOfValues, type Column, type Value } from '../../../data/index.ts'
import { rangeSecondsOf } from '../../../functions/index.ts'
import { schemaOf, type Aggregate } from '../../../plan/index.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import type { ExecContext } from '../context.ts'
import { Frame } from '../frame.ts'
import { GroupKeys } from '../keys/group-keys.ts'
import type { PartialResult } from '../morsels/parallelism.ts'
import { again, type Operator } from '../operator.ts'
import { BATCHES_AT_ONCE, GROUP_BYTES } from '../tuning.ts'
import { frameCall, type FrameCall } from './frame-calls.ts'
import { GroupedCall } from './grouped-call.ts'

/** Groups with the states of their aggregates as plain data, for another thread. */
export interface PartialFrames {
  readonly groupCount: number
  /** For each group key, the key's value in each group. */
  readonly keys: readonly (readonly (string | null)[])[]
  readonly calls: readonly unknown[]
}

/** Groups the rows of an operator, frame by frame. */
export class FrameAggregate implements PartialResult<PartialFrames> {
  readonly charge: MemoryReservation
  readonly #node: Aggregate
  readonly #input: Operator
  readonly #keys: readonly ((frame: Frame) => Column)[]
  readonly #groups: GroupKeys
  readonly #calls: readonly FrameCall[]
  readonly #bytesPerRow: number
  readonly #want: number
  #keyBytes = 0
  #rowCount = 0

  constructor(node: Aggregate, input: Operator, context: ExecContext) {
    const rangeSeconds = rangeSecondsOf(node.keys, context.query.range)
    const schema = schemaOf(node.input)
    this.#node = node
    this.#input = input
    this.#keys = node.keys.map((key) => context.compiler.expr(key.expr))
    this.#groups = new GroupKeys(node.keys.length)
    this.charge = new MemoryReservation(context.query.budget)
    this.#calls = node.aggregates.map(({ call }): FrameCall => {
      const fn = context.functions.stats.get(call.fn)
      invariant(fn !== undefined, `no stats function named ${call.fn}`)
      const quick = frameCall(fn, call, context.compiler)
      return quick ?? new GroupedCall(fn, call, schema, context, rangeSeconds, this.charge)
    })
    this.#bytesPerRow = this.#calls.reduce((sum, call) => sum + call.bytesPerRow, 0)
    this.#want = context.query.batchRows * BATCHES_AT_ONCE
  }

  /** True if several threads can share the rows: each thread groups some of them, and the results are merged. */
  get hasPartials(): boolean {
    return this.#calls.every((call) => call.partials !== undefined)
  }

  get groupCount(): number {
    return this.#groups.groupCount
  }

  /** The number of rows that this thread has grouped. */
  get rowCount(): number {
    return this.#rowCount
  }

  /** Reads and groups the next frame; returns true when all rows have been read. */
  step(): boolean {
    const frame = this.#input.pull(this.#want)
    if (frame === undefined) return true
    if (frame === again) return false
    const before = this.#groups.groupCount
    const keys = this.#keys.map((key) => key(frame))
    const of = this.#groups.groupsOf(keys, frame.rowCount)
    const groups = { of, bound: this.#groups.groupCount }
    for (const call of this.#calls) call.add(frame, groups)
    this.#rowCount += frame.rowCount
    this.#chargeGroups(before, frame.rowCount * this.#bytesPerRow)
    return false
  }

  #chargeGroups(before: number, rowBytes: number): void {
    const { memoryBytes, groupCount } = this.#groups
    const stateBytes = (groupCount - before) * GROUP_BYTES * this.#calls.length
    this.charge.charge(memoryBytes - this.#keyBytes + stateBytes + rowBytes)
    this.#keyBytes = memoryBytes
  }

  /**
   * Returns the groups for another thread. `undefined` if a key is not a string: a number and a time can be equal as
   * keys but print differently, and the answer must print the first of them.
   */
  export(): PartialFrames | undefined {
    const { groupCount } = this.#groups
    const keys = this.#node.keys.map((): (string | null)[] => [])
    for (let group = 0; group < groupCount; group++) {
      for (const [index, value] of this.#groups.keyValues(group).entries()) {
        if (value !== null && typeof value !== 'string') return undefined
        keys[index]?.push(value)
      }
    }
    return { groupCount, keys, calls: this.#calls.map((call) => call.partials?.exportPartial(groupCount)) }
  }

  merge({ groupCount, keys, calls }: PartialFrames): boolean {
    const before = this.#groups.groupCount
    const columns = keys.map((values) => columnOfValues(values as Value[]))
    const groups = this.#groups.groupsOf(columns, groupCount)
    const bound = this.#groups.groupCount
    for (const [index, call] of this.#calls.entries()) call.partials?.mergePartial(calls[index], groups, bound)
    this.#chargeGroups(before, 0)
    return true
  }

  /**
   * Returns one row for each group of the rows so far, in group order. The memory of the result is charged to `held`.
   */
  rows(held: MemoryReservation): Frame {
    const groups = this.#groups
    // 16 bytes for the position of each group, and for each value of a key or result.
    held.charge(groups.groupCount * 16 * (1 + this.#node.keys.length + this.#calls.length))
    const order = groups.sorted()
    const columns = new Map<string, Column>()
    for (const [index, key] of this.#node.keys.entries()) {
      columns.set(key.name, columnOfValues(Array.from(order, (group) => groups.keyValues(group)[index] ?? null)))
    }
    for (const [index, call] of this.#calls.entries()) {
      const { name } = present(this.#node.aggregates[index])
      columns.set(name, columnOfValues(Array.from(order, (group) => call.finish(group, held))))
    }
    return new Frame(order.length, columns)
  }
}
