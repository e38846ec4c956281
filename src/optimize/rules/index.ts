import type { Rule } from '../rule.ts'
import { foldConstants } from './fold-constants.ts'
import { inferTimeRange } from './infer-time-range.ts'
import { mergeFilters } from './merge-filters.ts'
import { narrowUnpacking } from './narrow-unpacking.ts'
import { normalizeComparison } from './normalize-comparison.ts'
import { propagateEmpty } from './propagate-empty.ts'
import { pruneColumns } from './prune-columns.ts'
import { pushFilter } from './push-filter/index.ts'
import { pushLimit } from './push-limit.ts'
import { removeNoop } from './remove-noop.ts'
import { removeSort } from './remove-sort.ts'
import { removeUnused } from './remove-unused.ts'
import { simplifyLogic } from './simplify-logic.ts'
import { sortLimitToTopk } from './sort-limit-to-topk.ts'

/** Every rule, in the order of a pass. The order is for speed: any order ends in a plan with the same answer. */
export const rules: readonly Rule[] = [
  // Literals first: they decide conditions that the next rules would otherwise carry around.
  foldConstants,
  // Tests in their plain form, so that equal ones are seen as equal by the logic.
  normalizeComparison,
  // Before filters are merged, since small conditions simplify faster.
  simplifyLogic,
  // One filter instead of several, so that a push moves all of their parts at once.
  mergeFilters,
  // After the conditions are as simple as they get: they are copied into unions and substituted in aggregates.
  pushFilter,
  // Where filters have arrived at their scans.
  inferTimeRange,
  // Conditions that met on the way may contradict each other; the next pass then finds this.
  propagateEmpty,
  // Before limits move, so that they meet sorts that are really needed.
  removeSort,
  // A limit joins the sort below it before it could be moved anywhere else.
  sortLimitToTopk,
  pushLimit,
  // What the rules above have emptied of meaning.
  removeNoop,
  // Before columns are pruned, so that what only unused work has read goes as well.
  removeUnused,
  // What is unpacked are plain names then, which filters of the next pass can go past.
  narrowUnpacking,
  // Last: who reads what is settled only when nothing moves any more.
  pruneColumns,
]
