import type { Limit } from '../../../plan/index.ts'
import { again, type OperatorFactory } from '../operator.ts'
import { scanRows } from '../scan/rows.ts'

export const limitOperator: OperatorFactory<Limit> = ({ node, inputs: [given] }) => {
  const input = given.scan !== undefined && node.offset > 0 ? scanRows(given.scan, node.offset) : given
  let toSkip = input === given ? node.offset : 0
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
