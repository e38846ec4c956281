import { present, work } from '../../../base/index.ts'
import { positionHash } from '../../../data/index.ts'
import type { Sample } from '../../../plan/index.ts'
import { blocking, frameBatches } from '../blocking.ts'
import { MemoryReservation } from '../memory-reservation.ts'
import { Collector } from '../collect.ts'
import type { ExecContext } from '../context.ts'
import type { Frame } from '../frame.ts'
import { again, type Operator, type OperatorFactory } from '../operator.ts'
import { PLACE_BYTES, SPARE_ROWS } from '../tuning.ts'

/**
 * Returns the sampling hash of a row. If the row is not a stored record, hashes `position`, its position in the input.
 */
function hashOf(frame: Frame, row: number, position: number): number {
  return frame.identity?.(row) ?? positionHash(position)
}

function oneIn(input: Operator, n: number, context: ExecContext): Operator {
  let position = 0
  return {
    pull() {
      const frame = input.pull(context.query.batchRows)
      if (frame === undefined || frame === again) return frame
      const rows: number[] = []
      for (let row = 0; row < frame.rowCount; row++) {
        if (hashOf(frame, row, position++) % n === 0) rows.push(row)
      }
      return rows.length === 0 ? again : frame.take(Uint32Array.from(rows))
    },
  }
}

/** Returns the `n`-th smallest of these 32-bit numbers, and how many of the `n` smallest numbers equal it. */
function nthSmallest(numbers: readonly number[], n: number): { readonly number: number; readonly ties: number } {
  work(numbers.length)
  const sorted = Uint32Array.from(numbers).sort()
  const number = present(sorted[n - 1])
  return { number, ties: n - sorted.indexOf(number) }
}

/**
 * Selects the rows with the `n` smallest hashes, in input order. Of rows with equal hashes, earlier ones are preferred.
 */
class SmallestHashes {
  readonly #n: number
  readonly #charge: MemoryReservation
  readonly #collector: Collector
  /** Hashes of the rows that are held. */
  #hashes: number[] = []
  /** Rows whose hash is at least this bound are dropped, since enough earlier rows have smaller or equal hashes. */
  #bound = Infinity
  #position = 0

  constructor(input: Operator, n: number, context: ExecContext) {
    this.#n = n
    this.#charge = new MemoryReservation(context.query.budget)
    this.#collector = new Collector(input, context, (frame) => this.#topCandidates(frame))
  }

  /** Reads a frame; returns true when the input has ended. */
  step(): boolean {
    const isDone = this.#collector.step()
    this.#charge.set(PLACE_BYTES * this.#hashes.length)
    if (isDone || this.#hashes.length > this.#n + SPARE_ROWS) this.#cut()
    return isDone
  }

  rows(): Frame {
    return this.#collector.all()
  }

  #topCandidates(frame: Frame): Frame {
    const rows: number[] = []
    for (let row = 0; row < frame.rowCount; row++) {
      const hash = hashOf(frame, row, this.#position++)
      if (hash >= this.#bound) continue
      rows.push(row)
      this.#hashes.push(hash)
    }
    return rows.length === frame.rowCount ? frame : frame.take(Uint32Array.from(rows))
  }

  #cut(): void {
    const hashes = this.#hashes
    if (hashes.length <= this.#n) return
    const bound = nthSmallest(hashes, this.#n)
    this.#bound = bound.number
    this.#hashes = []
    let { ties } = bound
    let first = 0
    const frames = this.#collector.frames().map((frame) => {
      const rows: number[] = []
      for (let row = 0; row < frame.rowCount; row++) {
        const hash = present(hashes[first + row])
        if (hash > bound.number || (hash === bound.number && ties-- <= 0)) continue
        rows.push(row)
        this.#hashes.push(hash)
      }
      first += frame.rowCount
      return frame.take(Uint32Array.from(rows))
    })
    this.#collector.replace(frames.filter(({ rowCount }) => rowCount > 0))
  }
}

export const sampleOperator: OperatorFactory<Sample> = ({ node, inputs: [input], context }) => {
  if (node.mode === 'one-in') return oneIn(input, node.n, context)
  const smallest = new SmallestHashes(input, node.n, context)
  return blocking(
    () => smallest.step(),
    () => frameBatches(smallest.rows()),
  )
}
