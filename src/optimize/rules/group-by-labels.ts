import { derived } from '../../base/index.ts'
import {
  column,
  visitExpr,
  type Aggregate,
  type Expr,
  type GroupKey,
  type LogicalPlan,
  type NamedAggregate,
} from '../../plan/index.ts'
import type { Rule, RuleContext } from '../rule.ts'

type Functions = RuleContext['functions']

/**
 * Returns the columns from which a group key is computed, if the key is a cheap function of a few labels, such as a
 * stream name; `undefined` for other keys.
 */
function labelsOf(key: Expr, { scalar }: Functions): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  let hasCall = false
  let isPlain = true
  visitExpr(key, (expr) => {
    if (expr.kind === 'column') names.add(expr.name)
    else if (expr.kind === 'call') {
      hasCall = true
      isPlain &&= scalar.get(expr.name)?.hasFewArguments === true
    } else isPlain &&= expr.kind === 'literal'
  })
  return hasCall && isPlain ? names : undefined
}

/**
 * Returns the keys of the inner grouping: the labels, and those keys that are not computed from labels; `undefined` if
 * names collide.
 */
function keysBelow(
  { aggregates }: Aggregate,
  others: readonly GroupKey[],
  labels: ReadonlySet<string>,
): readonly GroupKey[] | undefined {
  const taken = new Set([...others, ...aggregates].map(({ name }) => name))
  const isSame = (name: string): boolean =>
    others.some(({ name: other, expr }) => other === name && expr.kind === 'column' && expr.name === name)
  if ([...labels].some((name) => taken.has(name) && !isSame(name))) return undefined
  const columns = [...labels].filter((name) => !taken.has(name))
  return [...others, ...columns.map((name) => ({ name, expr: column(name), type: 'any' as const }))]
}

/**
 * Returns the call that computes an aggregate from the inner groups' results; `undefined` if the aggregate cannot be
 * computed from them.
 */
function combined({ name, call, type }: NamedAggregate, { stats }: Functions): NamedAggregate | undefined {
  const fn = stats.get(call.fn)?.combinedBy
  if (fn === undefined) return undefined
  return { name, type, call: { ...call, fn, args: [column(name, call.origin)], filter: undefined } }
}

/**
 * Groups rows twice: first by the label columns of which stream names consist, then the few resulting groups by stream
 * name. The name is then computed once per group, not per row.
 */
export const groupByLabels: Rule = {
  name: 'group-by-labels',
  summary: 'Rows are counted by the labels of their streams, before names of streams are made.',
  examples: {
    changes: '* | stats by (_stream) count() as n',
    leaves: '* | stats by (_stream) max(duration_ms) as slowest',
  },
  direction: 'up',
  apply(plan: LogicalPlan, { functions }) {
    if (plan.kind !== 'aggregate' || plan.aggregates.length === 0) return plan
    const aggregates = plan.aggregates.map((each) => combined(each, functions))
    const isMade = (key: GroupKey): boolean => labelsOf(key.expr, functions) !== undefined
    const labels = new Set(plan.keys.flatMap(({ expr }) => [...(labelsOf(expr, functions) ?? [])]))
    if (labels.size === 0 || !aggregates.every((each) => each !== undefined)) return plan
    const others = plan.keys.filter((key) => !isMade(key))
    const keys = keysBelow(plan, others, labels)
    if (keys === undefined) return plan
    const origin = derived('group-by-labels', [plan.origin])
    return {
      ...plan,
      input: { kind: 'aggregate', input: plan.input, keys, aggregates: plan.aggregates, origin },
      keys: plan.keys.map((key) => (isMade(key) ? key : { ...key, expr: column(key.name) })),
      aggregates,
    }
  },
}
