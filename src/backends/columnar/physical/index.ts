import type { TableApply } from '../../../plan/index.ts'
import type { OperatorFactory } from '../operator.ts'
import { blockStatsOperator } from './block-stats.ts'
import { blocksCountOperator } from './blocks-count.ts'
import { queryStatsOperator } from './query-stats.ts'

/** Functions about segments and what was read of them, by name. */
export const physicalOperators: ReadonlyMap<string, OperatorFactory<TableApply>> = new Map([
  ['block_stats', blockStatsOperator],
  ['blocks_count', blocksCountOperator],
  ['query_stats', queryStatsOperator],
])
