import { derived } from '../../base/index.ts'
import type { Limit, LogicalPlan } from '../../plan/index.ts'
import type { Rule } from '../rule.ts'
import { windowOfWindow } from './sort-limit-to-topk.ts'

/** At most so many rows come out, as far as the nodes right at the top say. */
function maxRows(plan: LogicalPlan): number {
  switch (plan.kind) {
    case 'limit':
    case 'distinct':
      return plan.limit ?? Infinity
    case 'sort':
      return plan.partitionBy.length === 0 ? (plan.limit ?? Infinity) : Infinity
    case 'values':
      return plan.rows.length
    case 'aggregate':
      return plan.keys.length === 0 ? 1 : Infinity
    case 'project':
    case 'drop':
    case 'rename':
    case 'extend':
    case 'filter':
    case 'sample':
    case 'window':
      return maxRows(plan.input)
    case 'apply':
      return plan.isOneToOne ? maxRows(plan.input) : Infinity
    case 'union':
      return plan.inputsList.reduce((rows, input) => rows + maxRows(input), 0)
    default:
      return Infinity
  }
}

/** The same rows are enough when only the first `count` of the input are read. */
function limited(input: LogicalPlan, count: number, outer: Limit): LogicalPlan {
  if (maxRows(input) <= count) return input
  return { kind: 'limit', input, offset: 0, limit: count, origin: derived('push-limit', [outer.origin]) }
}

export const pushLimit: Rule = {
  name: 'push-limit',
  summary: 'A limit moves below stages that treat rows one by one, and into the inputs of unions and left joins.',
  direction: 'down',
  apply(plan) {
    if (plan.kind !== 'limit') return plan
    const { input } = plan
    switch (input.kind) {
      case 'limit': {
        const window = windowOfWindow(input, plan)
        if (!Number.isSafeInteger(window.offset)) return plan
        return { ...input, ...window, origin: derived('push-limit', [input.origin, plan.origin]) }
      }
      case 'project':
      case 'drop':
      case 'rename':
      case 'extend':
        return { ...input, input: { ...plan, input: input.input } }
      case 'apply':
        return input.isOneToOne ? { ...input, input: { ...plan, input: input.input } } : plan
      case 'distinct': {
        if (plan.offset > 0 || plan.limit === undefined) return plan
        const count = Math.min(plan.limit, input.limit ?? Infinity)
        return { ...input, limit: count, origin: derived('push-limit', [input.origin, plan.origin]) }
      }
      case 'union': {
        if (plan.limit === undefined) return plan
        const count = plan.offset + plan.limit
        const inputsList = input.inputsList.map((each) => limited(each, count, plan))
        if (inputsList.every((each, i) => each === input.inputsList[i])) return plan
        return { ...plan, input: { ...input, inputsList } }
      }
      case 'join': {
        if (plan.limit === undefined || input.type !== 'left') return plan
        const left = limited(input.left, plan.offset + plan.limit, plan)
        return left === input.left ? plan : { ...plan, input: { ...input, left } }
      }
      default:
        return plan
    }
  },
}
