import type { FunctionDefinitions } from '../functions/index.ts'
import { inputs, opsOf, subqueries, type LogicalPlan } from '../plan/index.ts'
import { ignoresOrder } from './order.ts'

/**
 * What a query does with a table whose rows come one after the other: `rows` passes them on as they come, `groups` adds
 * them up and keeps the sums, `whole` needs all of them.
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

/** Of a plan as it was written, before any rule: a sort by time means something where rows come as they like. */
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

/** Whether a limit takes the first rows of the table in whatever order they come. */
export function takesFirstRows(plan: LogicalPlan, functions: FunctionDefinitions): boolean {
  let takes = false
  for (let node: LogicalPlan | undefined = plan; node !== undefined; node = inputs(node)[0]) {
    if (node.kind === 'limit' || node.kind === 'limit-by') takes = true
    if (node.kind === 'sort' || ignoresOrder(node, functions)) takes = false
  }
  return takes
}

/** Whether each row of the answer comes of one row of one table, whatever the others are. */
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
