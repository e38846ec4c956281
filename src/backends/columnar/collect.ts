import { concat, Frame } from './frame.ts'
import { MemoryReservation } from './memory-reservation.ts'
import type { ExecContext } from './context.ts'
import { again, type Operator } from './operator.ts'

/** Collects all rows of an input operator, one frame in each step. */
export class Collector {
  readonly #input: Operator
  readonly #cut: (frame: Frame) => Frame
  readonly #want: number
  readonly #charge: MemoryReservation
  #frames: Frame[] = []

  /** Makes a collector. `cut` returns the rows of a frame that are collected; by default all. */
  constructor(input: Operator, context: ExecContext, cut: (frame: Frame) => Frame = (frame) => frame) {
    this.#cut = cut
    this.#input = input
    this.#want = context.query.batchRows
    this.#charge = new MemoryReservation(context.query.budget)
  }

  /** Reads and collects one frame; returns true at the end of the input. */
  step(): boolean {
    const pulled = this.#input.pull(this.#want)
    if (pulled === again) return false
    if (pulled === undefined) return true
    const frame = this.#cut(pulled)
    if (frame.rowCount === 0) return false
    this.#frames.push(frame)
    this.#charge.charge(frame.memoryBytes)
    return false
  }

  get rowCount(): number {
    return this.#frames.reduce((sum, frame) => sum + frame.rowCount, 0)
  }

  frames(): readonly Frame[] {
    return this.#frames
  }

  all(): Frame {
    return this.#frames.length === 0 ? new Frame(0, new Map()) : concat(this.#frames)
  }

  /** Replaces all collected frames by `frames`. */
  replace(frames: readonly Frame[]): void {
    this.#frames = [...frames]
    this.#charge.set(frames.reduce((sum, frame) => sum + frame.memoryBytes, 0))
  }
}
