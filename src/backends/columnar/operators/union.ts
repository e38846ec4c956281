import type { Union } from '../../../plan/index.ts'
import { again, type OperatorFactory } from '../operator.ts'

export const unionOperator: OperatorFactory<Union> = ({ inputs }) => {
  let at = 0
  return {
    pull(want) {
      if (at === inputs.length) return undefined
      const frame = inputs[at].pull(want)
      if (frame !== undefined) return frame
      at++
      return again
    },
  }
}
