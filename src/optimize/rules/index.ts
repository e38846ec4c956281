import type { Rule } from '../rule.ts'
import { foldConstants } from './fold-constants.ts'
import { inferTimeRange } from './infer-time-range.ts'
import { filterCalls } from './filter-calls.ts'
import { ignoreOrder } from './ignore-order.ts'
import { mirrorJoinFilter } from './mirror-join-filter.ts'
import { mergeBranches } from './merge-branches.ts'
import { mergeFilters } from './merge-filters.ts'
import { narrowUnpacking } from './narrow-unpacking.ts'
import { normalizeComparison } from './normalize-comparison.ts'
import { propagateEmpty } from './propagate-empty.ts'
import { pruneColumns } from './prune-columns.ts'
import { pushFilter } from './push-filter/index.ts'
import { pushTopk } from './push-topk.ts'
import { shareCalls } from './share-calls.ts'
import { shareParts } from './share-parts.ts'
import { strengthenJoin } from './strengthen-join.ts'
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
  // Before filters move: it makes one.
  filterCalls,
  // One filter instead of several, so that a push moves all of their parts at once.
  mergeFilters,
  // While the filter still stands above its join; of an inner join its parts go into the right side as well.
  strengthenJoin,
  // After the conditions are as simple as they get: they are copied into unions and substituted in aggregates.
  pushFilter,
  // What has arrived at the left side of a join goes to its right side in the next pass.
  mirrorJoinFilter,
  // Where filters have arrived at their scans; before one of them becomes a range of its own.
  mergeBranches,
  inferTimeRange,
  // Conditions that met on the way may contradict each other; the next pass then finds this.
  propagateEmpty,
  // One call for several; the columns that copy it are in nobody's way below.
  shareCalls,
  // Before limits move, so that they meet sorts that are really needed.
  ignoreOrder,
  removeSort,
  // A limit joins the sort below it before it could be moved anywhere else.
  sortLimitToTopk,
  pushTopk,
  pushLimit,
  // What the rules above have emptied of meaning.
  removeNoop,
  // Before columns are pruned, so that what only unused work has read goes as well.
  removeUnused,
  // What is unpacked are plain names then, which filters of the next pass can go past.
  narrowUnpacking,
  // Who reads what is settled only when nothing moves any more.
  pruneColumns,
  // At the very end: every other rule sees a tree, and may change a part at one of its places alone.
  shareParts,
]
