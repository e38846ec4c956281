import type { Turns } from '../../base/index.ts'
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
export function adding(step: () => boolean, charge: Charge, rows: (charge: Charge) => Turns<Frame>): Operator {
  const whole = blocking(step, function* () {
    return pieces(yield* rows(charge))
  })
  return { ...whole, soFar: rows }
}

/** An operator that must see its whole input before it knows its first row; then it works out its rows in pieces. */
export function blocking(step: () => boolean, finish: () => Turns<Operator>): Operator {
  let finishing: Turns<Operator> | undefined
  let output: Operator | undefined
  return {
    pull(want) {
      if (output !== undefined) return output.pull(want)
      if (finishing === undefined) {
        if (step()) finishing = finish()
        return again
      }
      const next = finishing.next()
      if (next.done === true) output = next.value
      return again
    },
  }
}
