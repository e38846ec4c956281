import { isSameSchema } from '../data/index.ts'
import { inputs, mapSubqueries, opsOf, schemaOf, type LogicalPlan } from '../plan/index.ts'
import { needsOfInputs } from './field-needs.ts'
import { FieldSet } from './field-set.ts'

/** Rewrites a node. `needs` are the fields that the nodes above read; all other fields may be removed or changed. */
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

/**
 * Rewrites a plan from its root down to its scans. The caller reads all columns of the root, so the root keeps its
 * schema.
 */
export function rewriteByNeeds(plan: LogicalPlan, rewrite: RewriteByNeeds): LogicalPlan {
  const schema = schemaOf(plan)
  const next = walk(plan, schema.isOpen ? FieldSet.all : FieldSet.named(schema.fields.map((f) => f.name)), rewrite)
  // The schema of a root that drops fields by pattern is open if its input's schema is open.
  return next === plan || isSameSchema(schemaOf(next), schema) ? next : plan
}
