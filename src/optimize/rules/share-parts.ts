import { expressions, inputs, rewriteUp, subqueries, type LogicalPlan } from '../../plan/index.ts'
import { isRepeatable, keyOfNode } from '../conjuncts.ts'
import type { Rule, RuleContext } from '../rule.ts'

/** True if the plan reads at least two tables, or one table twice; otherwise it has no equal parts. */
function readsTwice(plan: LogicalPlan): boolean {
  let scans = 0
  const count = (node: LogicalPlan): void => {
    if (node.kind === 'scan') scans++
    for (const each of [...inputs(node), ...subqueries(node)]) if (scans < 2) count(each)
  }
  count(plan)
  return scans > 1
}

/** Represents equal parts of a plan by one object. Parts with random results are never equal. */
function withSharedSubplans(plan: LogicalPlan, { functions }: RuleContext): LogicalPlan {
  const numbers = new Map<LogicalPlan, number>()
  const first = new Map<string, LogicalPlan>()
  const numberOf = (subplan: object): number | undefined => numbers.get(subplan as LogicalPlan)
  return rewriteUp(plan, (node) => {
    const subplans = [...inputs(node), ...subqueries(node)]
    const isAlone =
      !subplans.every((subplan) => numbers.has(subplan)) || !expressions(node).every((e) => isRepeatable(e, functions))
    if (isAlone) return node
    const key = keyOfNode(node, numberOf)
    const known = first.get(key)
    if (known !== undefined) return known
    first.set(key, node)
    numbers.set(node, numbers.size)
    return node
  })
}

/** Represents equal parts of a plan by one object, so that `shared-parts.ts` can have them computed once. */
export const shareSubplans: Rule = {
  name: 'share-parts',
  summary:
    'Equal parts of a plan are one part, which is computed once: branches of a union, sides of a join, lists of `in`.',
  examples: {
    changes:
      '* | unpack_logfmt | filter k1:v1 | stats by (pod) count() as n | union (* | unpack_logfmt | filter k1:v2 | stats by (pod) count() as n)',
    leaves:
      '* | unpack_logfmt | filter k1:v1 | stats by (pod) count() as n | union (* | unpack_logfmt | filter k2:v2 | stats by (pod) count() as n)',
  },
  direction: 'whole',
  apply: (plan, context) => (readsTwice(plan) ? withSharedSubplans(plan, context) : plan),
}
