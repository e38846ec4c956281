import { derived } from '../../base/index.ts'
import { column, expressions, fieldPattern, type Aggregate, type AggregateCall } from '../../plan/index.ts'
import { isRepeatable, structureKey } from '../conjuncts.ts'
import type { Rule } from '../rule.ts'

/** Returns a key that is equal for calls with the same result. */
function keyOf(call: AggregateCall): string {
  const { fn, args, params, limit, orderBy, filter } = call
  const exprs = [...args, ...orderBy.map((key) => key.expr), ...(filter === undefined ? [] : [filter])]
  const directions = orderBy.map((key) => key.direction)
  return JSON.stringify([fn, params.map(String), limit ?? null, directions, args.length, exprs.map(structureKey)])
}

export const shareCalls: Rule = {
  name: 'share-calls',
  summary: 'A result that is asked for twice is computed once.',
  examples: {
    changes: '* | stats by (pod) count_uniq(trace_id) as a, count_uniq(trace_id) as b',
    leaves: '* | stats by (pod) count_uniq(trace_id) as a, count_uniq(span_id) as b',
  },
  direction: 'up',
  apply(plan, { functions }) {
    if (plan.kind !== 'aggregate' || plan.aggregates.length < 2) return plan
    if (!expressions(plan).every((expr) => isRepeatable(expr, functions))) return plan
    const first = new Map<string, Aggregate['aggregates'][number]>()
    const copies: { readonly name: string; readonly of: Aggregate['aggregates'][number] }[] = []
    for (const each of plan.aggregates) {
      const key = keyOf(each.call)
      const known = first.get(key)
      if (known === undefined) first.set(key, each)
      else copies.push({ name: each.name, of: known })
    }
    if (copies.length === 0) return plan
    const origin = derived('share-calls', [plan.origin])
    const names = [...plan.keys, ...plan.aggregates].map(({ name }) => name)
    const once: Aggregate = { ...plan, aggregates: [...first.values()] }
    const assignments = copies.map(({ name, of }) => ({ name, expr: column(of.name, origin), type: of.type }))
    // Restores the original order of the columns.
    const fields = names.map((name) => fieldPattern(name))
    return { kind: 'project', input: { kind: 'extend', input: once, assignments, origin }, fields, origin }
  },
}
