import { derived } from '../../base/index.ts'
import {
  and,
  column,
  declaredField,
  inputs,
  schemaOf,
  type Expr,
  type Join,
  type LogicalPlan,
} from '../../plan/index.ts'
import { conjuncts, structureKey, substitute } from '../conjuncts.ts'
import { passesOn } from '../passing.ts'
import { isTextList } from '../predicates.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { simplifyExpr } from '../simplify.ts'
import { throughNode } from './push-filter/index.ts'

/** Returns the string lists that conditions above the scans require a column to match in all rows of a plan. */
function textLists(plan: LogicalPlan, name: string): readonly Expr[] {
  const predicate = plan.kind === 'filter' || plan.kind === 'scan' ? plan.predicate : undefined
  const own = predicate === undefined ? [] : conjuncts(predicate)
  const found = own.filter(
    (list) => list.kind === 'test' && list.arg.kind === 'column' && list.arg.name === name && isTextList(list.test),
  )
  const [input] = inputs(plan)
  return input === undefined || passesOn(plan)?.(name) !== true ? found : [...found, ...textLists(input, name)]
}

/** True if conditions in the plan already imply the condition for all its rows. */
function holds(conjunct: Expr, plan: LogicalPlan, context: RuleContext): boolean {
  if (plan.kind === 'values' && plan.rows.length === 0) return true
  if (plan.kind === 'filter' || plan.kind === 'scan') {
    const own = plan.predicate === undefined ? [] : conjuncts(plan.predicate)
    const simple = (conditions: readonly Expr[]): string =>
      structureKey(simplifyExpr(and(conditions), context.functions))
    if (own.length > 0 && simple([...own, conjunct]) === simple(own)) return true
  }
  const below = plan.kind === 'filter' ? [conjunct] : throughNode(conjunct, plan, context)
  const old = inputs(plan)
  return (
    below !== undefined &&
    below.some((each) => each !== undefined) &&
    below.every((each, i) => each === undefined || (old[i] !== undefined && holds(each, old[i], context)))
  )
}

function mirrored(join: Join, context: RuleContext): LogicalPlan {
  const right = schemaOf(join.right)
  const lists = join.on.flatMap((pair) => {
    if (!right.isOpen && declaredField(right, pair.right) === undefined) return []
    return textLists(join.left, pair.left).flatMap(
      (list) => substitute(list, (_, origin) => column(pair.right, origin)) ?? [],
    )
  })
  const missing = lists.filter((list) => !holds(list, join.right, context))
  const [first] = missing
  if (first === undefined) return join
  const origin = derived(
    'mirror-join-filter',
    missing.map((list) => list.origin),
  )
  const predicate = missing.length === 1 ? first : and(missing, origin)
  return { ...join, right: { kind: 'filter', input: join.right, predicate, origin } }
}

/**
 * Copies list tests on join keys to the right side. Keys compare as strings, so this is done only for lists of strings
 * that cannot be read as a number or time, which mean the same on both sides. In a left or inner join, right rows
 * without a left row are not output.
 */
export const mirrorJoinFilter: Rule = {
  name: 'mirror-join-filter',
  summary: 'What all left rows of a join have as their key is looked for on the right side, too.',
  examples: {
    changes: 'pod:api-1 | join by (pod) (* | stats by (pod) count_uniq(trace_id) as traces)',
    leaves: 'pod:17 | join by (pod) (* | stats by (pod) count_uniq(trace_id) as traces)',
  },
  direction: 'up',
  apply: (plan, context) =>
    plan.kind === 'join' && (plan.type === 'left' || plan.type === 'inner') ? mirrored(plan, context) : plan,
}
