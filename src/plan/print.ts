import { hasMember, checkArgument } from '../base/index.ts'
import type { LogicalPlan } from './kinds.ts'
import { opsOf } from './nodes/index.ts'
import { inputs, subqueries } from './traverse.ts'

/**
 * Returns numbers for the parts that occur several times as one object. A part inside another such part gets no number.
 */
function sharedNumbers(plan: LogicalPlan): ReadonlyMap<LogicalPlan, number> {
  const seen = new Set<LogicalPlan>()
  const numbers = new Map<LogicalPlan, number>()
  const see = (node: LogicalPlan): void => {
    if (seen.has(node)) {
      if (!numbers.has(node)) numbers.set(node, numbers.size + 1)
      return
    }
    seen.add(node)
    for (const part of [...subqueries(node), ...inputs(node)]) see(part)
  }
  see(plan)
  return numbers
}

/** Prints one node per line, with inputs indented. Subqueries and shared parts are marked. */
export function printPlan(plan: LogicalPlan, indent = ''): string {
  checkArgument(hasMember(plan, 'kind'), plan, 'a plan', 'printPlan(engine.plan(text).optimized)')
  const lines: string[] = []
  const numbers = sharedNumbers(plan)
  const printed = new Set<LogicalPlan>()
  const append = (node: LogicalPlan, at: string): void => {
    const label = opsOf(node).label(node)
    const line = `${at}${node.kind}${label === '' ? '' : ` ${label}`}`
    const number = numbers.get(node)
    if (number !== undefined && printed.has(node)) {
      lines.push(`${line}  = part ${number}`)
      return
    }
    printed.add(node)
    lines.push(number === undefined ? line : `${line}  part ${number}`)
    for (const subquery of subqueries(node)) {
      lines.push(`${at}  subquery`)
      append(subquery, `${at}    `)
    }
    for (const input of inputs(node)) append(input, `${at}  `)
  }
  append(plan, indent)
  return lines.join('\n')
}
