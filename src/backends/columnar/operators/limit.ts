import type { Limit } from '../../../plan/index.ts'
import { again, type OperatorFactory } from '../operator.ts'

export const limitOperator: OperatorFactory<Limit> = ({ node, inputs: [input] }) => {
  let toSkip = node.offset
  let left = node.limit ?? Infinity
  return {
    pull(want) {
      if (left <= 0) return undefined
      const frame = input.pull(Math.min(want, left + toSkip))
      if (frame === undefined || frame === again) return frame
      if (frame.rowCount <= toSkip) {
        toSkip -= frame.rowCount
        return again
      }
      const kept = frame.slice(toSkip, Math.min(frame.rowCount, toSkip + left))
      toSkip = 0
      left -= kept.rowCount
      return kept
    },
  }
}
