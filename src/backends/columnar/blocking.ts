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

/** An operator that must see its whole input before it knows its first row. */
export function blocking(step: () => boolean, finish: () => Operator): Operator {
  let output: Operator | undefined
  return {
    pull(want) {
      if (output === undefined) {
        if (!step()) return again
        output = finish()
      }
      return output.pull(want)
    },
  }
}
