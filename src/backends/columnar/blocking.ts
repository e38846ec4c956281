import type { MemoryReservation } from './memory-reservation.ts'
import type { Frame } from './frame.ts'
import { again, type Operator } from './operator.ts'

/** Makes an operator that returns the rows of a frame, at most the requested number at a time. */
export function frameBatches(frame: Frame): Operator {
  let at = 0
  return {
    pull(want) {
      if (at >= frame.rowCount) return undefined
      const from = at
      at = Math.min(frame.rowCount, from + want)
      return frame.slice(from, at)
    },
  }
}

/**
 * Makes an operator that aggregates its input. `step` reads input and returns true at the end; `rows` returns the
 * result for the rows so far and may be called repeatedly.
 */
export function adding(
  step: () => boolean,
  charge: MemoryReservation,
  rows: (charge: MemoryReservation) => Frame,
): Operator {
  return { ...blocking(step, () => frameBatches(rows(charge))), soFar: rows }
}

/**
 * Makes an operator that reads its whole input before it returns rows. `step` reads input and returns true at the end;
 * then `finish` returns the operator of the result.
 */
export function blocking(step: () => boolean, finish: () => Operator): Operator {
  let output: Operator | undefined
  return {
    pull(want) {
      if (output !== undefined) return output.pull(want)
      if (step()) output = finish()
      return again
    },
  }
}
