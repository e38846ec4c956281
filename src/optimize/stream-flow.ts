import type { FunctionDefinitions } from '../functions/index.ts'
import { inputs, opsOf, subqueries, type LogicalPlan } from '../plan/index.ts'
import { ignoresOrder } from './order.ts'

/**
 * Processing of a table whose rows arrive over time. `rows`: rows are passed on. `groups`: rows are aggregated.
 * `whole`: all rows are needed first.
 */
export type StreamFlow = 'rows' | 'groups' | 'whole'

function passesRowsOn(node: LogicalPlan): boolean {
  if (node.kind === 'limit' || node.kind === 'limit-by') return true
  if (node.kind === 'sample') return node.mode === 'one-in'
  return inputs(node).length === 1 && opsOf(node).properties(node).isRowWise
}

function hasSubquery(plan: LogicalPlan): boolean {
  return subqueries(plan).length > 0 || inputs(plan).some(hasSubquery)
}

/**
 * Classifies a plan as written, before any rule: rules may drop a sort by time, which matters if rows arrive in any
 * order.
 */
export function streamFlow(plan: LogicalPlan, functions: FunctionDefinitions): StreamFlow {
  if (hasSubquery(plan)) return 'whole'
  let flow: StreamFlow = 'rows'
  let node = plan
  while (node.kind !== 'scan') {
    const [input, ...others] = inputs(node)
    if (input === undefined || others.length > 0) return 'whole'
    if (ignoresOrder(node, functions)) flow = 'groups'
    else if (!passesRowsOn(node)) flow = 'whole'
    node = input
  }
  return flow
}

/** True if a limit takes the first rows of the table in the order in which they arrive. */
export function takesFirstRows(plan: LogicalPlan, functions: FunctionDefinitions): boolean {
  let takes = false
  for (let node: LogicalPlan | undefined = plan; node !== undefined; node = inputs(node)[0]) {
    if (node.kind === 'limit' || node.kind === 'limit-by') takes = true
    if (node.kind === 'sort' || ignoresOrder(node, functions)) takes = false
  }
  return takes
}

/** True if each row of the answer depends on one row of one table only. */
export function isRowByRow(plan: LogicalPlan): boolean {
  if (hasSubquery(plan)) return false
  let node = plan
  while (node.kind !== 'scan') {
    const [input, ...others] = inputs(node)
    if (input === undefined || others.length > 0 || !opsOf(node).properties(node).isRowWise) return false
    node = input
  }
  return true
}
