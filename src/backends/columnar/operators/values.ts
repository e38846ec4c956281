import type { Values } from '../../../plan/index.ts'
import { frameOfRows } from '../frame-rows.ts'
import type { OperatorFactory } from '../operator.ts'

export const valuesOperator: OperatorFactory<Values> = ({ node }) => {
  let at = 0
  return {
    pull(want) {
      if (at >= node.rows.length) return undefined
      const rows = node.rows.slice(at, at + want)
      at += rows.length
      return frameOfRows(rows)
    },
  }
}
