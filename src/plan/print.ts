import type { LogicalPlan } from './kinds.ts'
import { opsOf } from './nodes/index.ts'
import { inputs, subqueries } from './traverse.ts'

/** One node a line, inputs indented below; subqueries are marked. */
export function printPlan(plan: LogicalPlan, indent = ''): string {
  const lines: string[] = []
  appendPlan(plan, indent, lines)
  return lines.join('\n')
}

function appendPlan(plan: LogicalPlan, indent: string, lines: string[]): void {
  const label = opsOf(plan).label(plan)
  lines.push(`${indent}${plan.kind}${label === '' ? '' : ` ${label}`}`)
  for (const subquery of subqueries(plan)) {
    lines.push(`${indent}  subquery`)
    appendPlan(subquery, `${indent}    `, lines)
  }
  for (const input of inputs(plan)) appendPlan(input, `${indent}  `, lines)
}
