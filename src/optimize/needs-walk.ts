import { isSameSchema } from '../data/index.ts'
import { inputs, mapSubqueries, opsOf, schemaOf, type LogicalPlan } from '../plan/index.ts'
import { needsOfInputs } from './field-needs.ts'
import { FieldSet } from './field-set.ts'

/** Rewrites a node of which only some fields are read above. The fields that are not may go, or have other values. */
export type RewriteByNeeds = (node: LogicalPlan, needs: FieldSet) => LogicalPlan

function walk(node: LogicalPlan, needs: FieldSet, rewrite: RewriteByNeeds): LogicalPlan {
  const next = rewrite(
    mapSubqueries(node, (plan) => rewriteByNeeds(plan, rewrite)),
    needs,
  )
  const old = inputs(next)
  const below = needsOfInputs(next, needs)
  const walked = old.map((input, i) => walk(input, below[i] ?? FieldSet.all, rewrite))
  return walked.every((input, i) => input === old[i]) ? next : opsOf(next).withInputs(next, walked)
}

/** Goes from the root of a plan, of which every column is read, to its scans. The root keeps its schema. */
export function rewriteByNeeds(plan: LogicalPlan, rewrite: RewriteByNeeds): LogicalPlan {
  const schema = schemaOf(plan)
  const next = walk(plan, schema.isOpen ? FieldSet.all : FieldSet.named(schema.fields.map((f) => f.name)), rewrite)
  // With fields dropped by pattern a root is open as long as what is below it is.
  return next === plan || isSameSchema(schemaOf(next), schema) ? next : plan
}
