import type { Charge } from './charge.ts'
import type { Frame } from './frame.ts'
import { again, type Operator } from './operator.ts'

/** Hands out a frame in pieces. */
export function pieces(frame: Frame): Operator {
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

/** An operator that adds rows up: `rows` gives those of what it holds, as often as they are asked for. */
export function adding(step: () => boolean, charge: Charge, rows: (charge: Charge) => Frame): Operator {
  return { ...blocking(step, () => pieces(rows(charge))), soFar: rows }
}

/** An operator that must see its whole input before it knows its first row. */
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
