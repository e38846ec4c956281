import { derived } from '../../base/index.ts'
import type { Aggregate } from '../../plan/index.ts'
import { isRepeatable, structureKey } from '../conjuncts.ts'
import type { Rule } from '../rule.ts'

/**
 * Turns a condition that all aggregate calls share into a filter. Not for grouped calls: groups without a matching row
 * would disappear.
 */
export const filterCalls: Rule = {
  name: 'filter-calls',
  summary: 'A condition that all results of the one group have is tested where rows are read.',
  examples: {
    changes: '* | stats count() if (level:error) as n, sum(duration_ms) if (level:error) as ms',
    leaves: '* | stats by (pod) count() if (level:error) as n, sum(duration_ms) if (level:error) as ms',
  },
  direction: 'up',
  apply(plan, { functions }) {
    if (plan.kind !== 'aggregate' || plan.keys.length > 0) return plan
    const [first, ...more] = plan.aggregates
    const predicate = first?.call.filter
    if (predicate === undefined || !isRepeatable(predicate, functions)) return plan
    const isShared = ({ call: { filter } }: Aggregate['aggregates'][number]): boolean =>
      filter !== undefined && structureKey(filter) === structureKey(predicate)
    if (!more.every(isShared)) return plan
    const origin = derived('filter-calls', [predicate.origin])
    const aggregates = plan.aggregates.map((each) => ({ ...each, call: { ...each.call, filter: undefined } }))
    return { ...plan, aggregates, input: { kind: 'filter', input: plan.input, predicate, origin } }
  },
}
