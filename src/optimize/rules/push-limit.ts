import { derived } from '../../base/index.ts'
import {
  inputs,
  maxRows,
  opsOf,
  propertiesOf,
  type Limit,
  type LogicalPlan,
  type NodeOf,
  type PlanKind,
} from '../../plan/index.ts'
import type { Rule } from '../rule.ts'
import { windowOfWindow } from './sort-limit-to-topk.ts'

/** Returns a plan whose input is limited to `count` rows. */
function limited(input: LogicalPlan, count: number, outer: Limit): LogicalPlan {
  if (maxRows(input) <= count) return input
  return { kind: 'limit', input, offset: 0, limit: count, origin: derived('push-limit', [outer.origin]) }
}

/** Functions that push a limit through a kind of node. A limit is not pushed through kinds that are not listed. */
const below: { readonly [K in PlanKind]?: (plan: Limit, input: NodeOf<K>) => LogicalPlan | undefined } = {
  limit: (plan, input) => {
    const window = windowOfWindow(input, plan)
    if (!Number.isSafeInteger(window.offset)) return undefined
    return { ...input, ...window, origin: derived('push-limit', [input.origin, plan.origin]) }
  },
  distinct: (plan, input) => {
    if (plan.offset > 0 || plan.limit === undefined) return undefined
    const count = Math.min(plan.limit, input.limit ?? Infinity)
    return { ...input, limit: count, origin: derived('push-limit', [input.origin, plan.origin]) }
  },
  union: (plan, input) => {
    if (plan.limit === undefined) return undefined
    const count = plan.offset + plan.limit
    const inputsList = input.inputsList.map((each) => limited(each, count, plan))
    if (inputsList.every((each, i) => each === input.inputsList[i])) return undefined
    return { ...plan, input: { ...input, inputsList } }
  },
  join: (plan, input) => {
    if (plan.limit === undefined || input.type !== 'left') return undefined
    const left = limited(input.left, plan.offset + plan.limit, plan)
    return left === input.left ? undefined : { ...plan, input: { ...input, left } }
  },
}

export const pushLimit: Rule = {
  name: 'push-limit',
  summary: 'A limit moves below stages that treat rows one by one, and into the inputs of unions and left joins.',
  examples: {
    changes: '* | extract "status=<code> " | limit 5',
    leaves: '* | stats by (pod) count() as n | limit 5',
  },
  direction: 'down',
  apply(plan) {
    if (plan.kind !== 'limit') return plan
    const { input } = plan
    const { isRowWise, keepsOrder, keepsRowCount } = propertiesOf(input)
    const [inner] = inputs(input)
    if (isRowWise && keepsOrder && keepsRowCount && inner !== undefined)
      return opsOf(input).withInputs(input, [{ ...plan, input: inner }])
    const move = below[input.kind] as ((plan: Limit, input: LogicalPlan) => LogicalPlan | undefined) | undefined
    return move?.(plan, input) ?? plan
  },
}
