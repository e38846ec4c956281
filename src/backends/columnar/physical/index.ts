import type { TableApply } from '../../../plan/index.ts'
import type { OperatorFactory } from '../operator.ts'
import { blockStatsOperator } from './block-stats.ts'
import { blocksCountOperator } from './blocks-count.ts'
import { queryStatsOperator } from './query-stats.ts'
import { windowApplyOperator } from './window.ts'

/** Table functions with an operator of their own, by name: those about segments and what was read, and those that work on columns. */
export const physicalOperators: ReadonlyMap<string, OperatorFactory<TableApply>> = new Map([
  ['block_stats', blockStatsOperator],
  ['blocks_count', blocksCountOperator],
  ['query_stats', queryStatsOperator],
  ['window', windowApplyOperator],
])
