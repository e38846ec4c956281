import { derived } from '../../base/index.ts'
import type { Limit, Sort } from '../../plan/index.ts'
import type { Rule } from '../rule.ts'

/** Returns the window `[offset, offset + limit)` that two successive windows select together. */
export function windowOfWindow(
  inner: Pick<Limit, 'offset' | 'limit'>,
  outer: Pick<Limit, 'offset' | 'limit'>,
): Pick<Limit, 'offset' | 'limit'> {
  const left = inner.limit === undefined ? undefined : Math.max(0, inner.limit - outer.offset)
  const limit = left === undefined ? outer.limit : outer.limit === undefined ? left : Math.min(left, outer.limit)
  return { offset: inner.offset + outer.offset, limit }
}

/**
 * True if a later limit can be merged into the sort. Not with a rank, which is computed before rows are dropped, and
 * not with partitions, which are limited separately.
 */
function canTake(sort: Sort): boolean {
  return sort.rankName === undefined && sort.partitionBy.length === 0
}

export const sortLimitToTopk: Rule = {
  name: 'sort-limit-to-topk',
  summary: 'A limit right above a sort makes the sort keep only the rows that are asked for.',
  examples: {
    changes: '* | sort by (duration_ms) | limit 5',
    leaves: '* | sort by (status) | uniq by (pod) | limit 5',
  },
  direction: 'up',
  apply(plan) {
    if (plan.kind !== 'limit' || plan.input.kind !== 'sort' || !canTake(plan.input)) return plan
    const window = windowOfWindow(plan.input, plan)
    if (!Number.isSafeInteger(window.offset)) return plan
    return { ...plan.input, ...window, origin: derived('sort-limit-to-topk', [plan.input.origin, plan.origin]) }
  },
}
