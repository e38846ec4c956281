import type { FunctionDefinitions } from '../functions/index.ts'
import type { LogicalPlan } from '../plan/index.ts'

/** Whether the rows of a node are the same for any order of its input. */
export function ignoresOrder(node: LogicalPlan, functions: FunctionDefinitions): boolean {
  if (node.kind === 'distinct') return true
  return (
    node.kind === 'aggregate' &&
    node.aggregates.every(({ call }) => functions.stats.get(call.fn)?.isOrderSensitive === false)
  )
}
