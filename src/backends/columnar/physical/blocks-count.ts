import type { TableApply } from '../../../plan/index.ts'
import { frameOfRows } from '../frame-rows.ts'
import { again, type OperatorFactory } from '../operator.ts'
import { matchingSegments } from './matching-segments.ts'

/** Makes the operator that counts the segments with a matching row. */
export const blocksCountOperator: OperatorFactory<TableApply> = ({ node, inputs: [input] }) => {
  const { into } = node.params as { readonly into: string }
  const segments = matchingSegments(input)
  let count = 0
  let isDone = false
  return {
    pull() {
      if (isDone) return undefined
      const next = segments.next()
      if (next.done !== true) {
        if (next.value !== undefined) count++
        return again
      }
      isDone = true
      return frameOfRows([new Map([[into, count]])])
    },
  }
}
