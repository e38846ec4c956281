import { maxRows, plainName, schemaOf, type LogicalPlan, type NodeOf, type PlanKind } from '../../plan/index.ts'
import { isSameSchema } from '../../data/index.ts'
import { isTrue } from '../conjuncts.ts'
import type { Rule } from '../rule.ts'

/**
 * For each kind of node: a function that returns whether its output equals its input. Kinds that are not listed always
 * have an effect.
 */
const noops: { readonly [K in PlanKind]?: (node: NodeOf<K>) => boolean } = {
  filter: (node) => isTrue(node.predicate),
  limit: (node) => node.offset === 0 && (node.limit === undefined || maxRows(node.input) <= node.limit),
  project: (node) => {
    const [first] = node.fields
    const isEverything =
      node.fields.length === 1 && first !== undefined && first.parts.length > 1 && first.parts.every((p) => p === '')
    const isSame = !schemaOf(node.input).isOpen && node.fields.every((p) => plainName(p) !== undefined)
    return (isEverything || isSame) && isSameSchema(schemaOf(node), schemaOf(node.input))
  },
  drop: (node) => {
    const input = schemaOf(node.input)
    return node.fields.length === 0 || (!input.isOpen && isSameSchema(schemaOf(node), input))
  },
  rename: (node) =>
    node.steps.every((step) => plainName(step.from) !== undefined && plainName(step.from) === plainName(step.to)) &&
    isSameSchema(schemaOf(node), schemaOf(node.input)),
  extend: (node) => node.assignments.length === 0,
  window: (node) => node.calls.length === 0,
}

function isNoop(plan: LogicalPlan): plan is LogicalPlan & { readonly input: LogicalPlan } {
  return (noops[plan.kind] as ((node: LogicalPlan) => boolean) | undefined)?.(plan) === true
}

export const removeNoop: Rule = {
  name: 'remove-noop',
  summary: 'Stages that change nothing go.',
  examples: {
    changes: '* | fields * | stats by (pod) count() as n',
    leaves: 'level:error | fields pod',
  },
  direction: 'up',
  apply(plan) {
    if (plan.kind === 'scan' && plan.predicate !== undefined && isTrue(plan.predicate))
      return { ...plan, predicate: undefined }
    if (plan.kind === 'union') {
      const [only] = plan.inputsList
      const isAlone = only !== undefined && plan.inputsList.length === 1
      if (isAlone && isSameSchema(schemaOf(plan), schemaOf(only))) return only
    }
    return isNoop(plan) ? plan.input : plan
  },
}
