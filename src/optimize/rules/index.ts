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
import { shareSubplans } from './share-parts.ts'
import { strengthenJoin } from './strengthen-join.ts'
import { pushLimit } from './push-limit.ts'
import { removeNoop } from './remove-noop.ts'
import { removeSort } from './remove-sort.ts'
import { removeUnused } from './remove-unused.ts'
import { simplifyLogic } from './simplify-logic.ts'
import { sortLimitToTopk } from './sort-limit-to-topk.ts'

/** All rules in the order of a pass. The order affects speed only. */
export const rules: readonly Rule[] = [
  // Runs first, since literals decide conditions that later rules would otherwise move.
  foldConstants,
  // Normalizes tests, so that later rules recognise equal ones.
  normalizeComparison,
  // Runs before filters are merged, since small conditions are simplified faster.
  simplifyLogic,
  // Runs before the rules that push filters, since this rule creates a filter.
  filterCalls,
  // Merges filters, so that all their conjuncts are pushed at once.
  mergeFilters,
  // Runs before the filter is pushed below its join: on an inner join its conjuncts are pushed into the right side too.
  strengthenJoin,
  // Runs after conditions are in their simplest form, because they are copied into unions and substituted in
  // aggregates.
  pushFilter,
  // Copies conditions that reached the left side of a join. The next pass pushes the copies.
  mirrorJoinFilter,
  // Runs after filters have reached their scans, and before one of their conditions becomes a time range.
  mergeBranches,
  inferTimeRange,
  // Runs after conditions have moved: conditions that are now in one filter may contradict each other.
  propagateEmpty,
  // Runs after filters have reached their scans, since they cannot be pushed through two groupings.
  groupByLabels,
  // Merges equal calls. Later rules are not affected by the columns that copy the result.
  shareCalls,
  // Runs before limits are pushed, so that only necessary sorts are in their way.
  ignoreOrder,
  removeSort,
  // Runs before limits are pushed, so that a limit can merge with the sort below it.
  sortLimitToTopk,
  pushTopk,
  pushLimit,
  // Removes nodes that the rules above have made redundant.
  removeNoop,
  // Runs before columns are pruned, so that fields of unused nodes are pruned too.
  removeUnused,
  // Turns unpacked fields into plain names, through which the next pass can push filters.
  narrowUnpacking,
  // Runs after all rules that move nodes, because they change which fields a node reads.
  pruneColumns,
  // Runs last, because all other rules need a tree, in which one occurrence of a shared part can be changed alone.
  shareSubplans,
]
