import type { Rule } from '../rule.ts'
import { foldConstants } from './fold-constants.ts'
import { inferTimeRange } from './infer-time-range.ts'
import { groupByLabels } from './group-by-labels.ts'
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

/** All rules in the order of a pass. The order affects speed only. */
export const rules: readonly Rule[] = [
  // Literals first: they decide conditions that later rules would carry along.
  foldConstants,
  // Normalizes tests, so that equal ones are recognised.
  normalizeComparison,
  // Before filters are merged, since small conditions simplify faster.
  simplifyLogic,
  // Before the rules that push filters, since it creates a filter.
  filterCalls,
  // Merges filters, so that one push moves all their conjuncts.
  mergeFilters,
  // While the filter is still above its join; its conjuncts go into the right side of an inner join too.
  strengthenJoin,
  // After conditions are as simple as possible: they are copied into unions and substituted in aggregates.
  pushFilter,
  // Conditions that reached the left side of a join go to its right side in the next pass.
  mirrorJoinFilter,
  // After filters have reached their scans, before one of them becomes a time range.
  mergeBranches,
  inferTimeRange,
  // Conditions that met on the way may contradict each other.
  propagateEmpty,
  // After filters have reached their scans: two groupings would be in their way.
  groupByLabels,
  // Merges equal calls; the columns that copy the result disturb no rule below.
  shareCalls,
  // Before limits are pushed, so that they meet only sorts that are needed.
  ignoreOrder,
  removeSort,
  // A limit merges with the sort below it before it is pushed elsewhere.
  sortLimitToTopk,
  pushTopk,
  pushLimit,
  // Removes nodes that the rules above made useless.
  removeNoop,
  // Before columns are pruned, so that fields of unused nodes are pruned too.
  removeUnused,
  // Unpacked fields become plain names, which filters of the next pass can pass.
  narrowUnpacking,
  // After all rules that move nodes, since these change which fields a node reads.
  pruneColumns,
  // Last: every other rule sees a tree and may change one occurrence of a part alone.
  shareParts,
]
