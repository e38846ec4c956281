import { plainName, schemaOf, type LogicalPlan } from '../../plan/index.ts'
import { isSameSchema } from '../../data/index.ts'
import { isTrue } from '../conjuncts.ts'
import type { Rule } from '../rule.ts'

/** The node's rows are those of its input, column by column. */
function isNoop(plan: LogicalPlan): plan is LogicalPlan & { readonly input: LogicalPlan } {
  switch (plan.kind) {
    case 'filter':
      return isTrue(plan.predicate)
    case 'limit':
      return plan.offset === 0 && plan.limit === undefined
    case 'project': {
      const isEverything =
        plan.fields.length === 1 && plan.fields[0].parts.every((part) => part === '') && plan.fields[0].parts.length > 1
      const isSame = !schemaOf(plan.input).isOpen && plan.fields.every((p) => plainName(p) !== undefined)
      return (isEverything || isSame) && isSameSchema(schemaOf(plan), schemaOf(plan.input))
    }
    case 'drop': {
      const input = schemaOf(plan.input)
      return plan.fields.length === 0 || (!input.isOpen && isSameSchema(schemaOf(plan), input))
    }
    case 'rename':
      return (
        plan.steps.every((step) => plainName(step.from) !== undefined && plainName(step.from) === plainName(step.to)) &&
        isSameSchema(schemaOf(plan), schemaOf(plan.input))
      )
    case 'extend':
      return plan.assignments.length === 0
    case 'window':
      return plan.calls.length === 0
    default:
      return false
  }
}

export const removeNoop: Rule = {
  name: 'remove-noop',
  summary: 'Stages that change nothing go.',
  direction: 'up',
  apply(plan) {
    if (plan.kind === 'scan' && plan.predicate !== undefined && isTrue(plan.predicate))
      return { ...plan, predicate: undefined }
    if (
      plan.kind === 'union' &&
      plan.inputsList.length === 1 &&
      isSameSchema(schemaOf(plan), schemaOf(plan.inputsList[0]))
    ) {
      return plan.inputsList[0]
    }
    return isNoop(plan) ? plan.input : plan
  },
}
