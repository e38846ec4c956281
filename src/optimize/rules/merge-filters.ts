import { derived } from '../../base/index.ts'
import { allOf, conjuncts, isRepeatable } from '../conjuncts.ts'
import type { Rule } from '../rule.ts'

export const mergeFilters: Rule = {
  name: 'merge-filters',
  summary: 'Two filters in a row become one.',
  examples: {
    changes: '* | limit 90000 | filter content:~"(.*a){6}q" | filter level:error',
    leaves: '* | limit 90000 | filter level:error',
  },
  direction: 'up',
  apply(plan, { functions }) {
    if (plan.kind !== 'filter' || plan.input.kind !== 'filter') return plan
    const { input: inner } = plan
    if (!isRepeatable(plan.predicate, functions) || !isRepeatable(inner.predicate, functions)) return plan
    return {
      kind: 'filter',
      input: inner.input,
      predicate: allOf([...conjuncts(inner.predicate), ...conjuncts(plan.predicate)], 'merge-filters'),
      origin: derived('merge-filters', [inner.origin, plan.origin]),
    }
  },
}
