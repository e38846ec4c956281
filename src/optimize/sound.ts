import { areGuardsKept, planProblems } from '../analyze/index.ts'
import { isSameSchema } from '../data/index.ts'
import type { FunctionDefinitions } from '../functions/index.ts'
import { schemaOf, type LogicalPlan } from '../plan/index.ts'

/**
 * Returns the faults of a rewrite; empty if it preserves the columns, the guards and the conditions that backends rely
 * on.
 */
export function rewriteFaults(
  before: LogicalPlan,
  after: LogicalPlan,
  functions: FunctionDefinitions,
): readonly string[] {
  const faults = [...planProblems(after, functions)]
  if (!isSameSchema(schemaOf(after), schemaOf(before))) faults.push('the columns of the answer are others')
  if (!areGuardsKept(before, after)) faults.push('the data scope of a table is gone')
  return faults
}
