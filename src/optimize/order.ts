import type { FunctionDefinitions } from '../functions/index.ts'
import type { LogicalPlan } from '../plan/index.ts'

/** True if the output of a node does not depend on the order of its input. */
export function ignoresOrder(node: LogicalPlan, functions: FunctionDefinitions): boolean {
  if (node.kind === 'distinct') return true
  return (
    node.kind === 'aggregate' &&
    node.aggregates.every(({ call }) => functions.stats.get(call.fn)?.isOrderSensitive === false)
  )
}
