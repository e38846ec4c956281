import type { Union } from '../../../plan/index.ts'
import { again, type OperatorFactory } from '../operator.ts'

export const unionOperator: OperatorFactory<Union> = ({ inputs }) => {
  let at = 0
  return {
    pull(want) {
      const input = inputs[at]
      if (input === undefined) return undefined
      const frame = input.pull(want)
      if (frame !== undefined) return frame
      at++
      return again
    },
  }
}
